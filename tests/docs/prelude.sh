# What stands before the commands of a document. `cargo run` is the program that the tests have built, and what would take
# minutes is looked at instead: whether there is such a script, benchmark or test, and whether it knows the options.
set -E
trap 'printf "%s\n" "$BASH_COMMAND" >>"$FAILURES"' ERR

cargo() {
    local known="$PROJECT/Cargo.toml" name="" rest=()
    case "$1" in
    build | check | clippy | fmt) return 0 ;;
    run)
        while (($#)) && [[ "$1" != -- ]]; do shift; done
        shift
        # The demo takes its time for those who watch.
        [[ "${1:-}" != demo ]] || set -- "$@" --fast
        tributary "$@"
        ;;
    bench | test | nextest)
        local kind="$1"
        while (($#)) && [[ "$1" != -- ]]; do
            [[ "$1" != --bench && "$1" != --test ]] || name="$2"
            shift
        done
        shift || true
        rest=("$@")
        if [[ "$kind" == bench ]]; then
            grep -q "^name = \"$name\"$" "$known" || { echo "no benchmark $name" >&2; return 1; }
            local option
            for option in "${rest[@]}"; do
                [[ "$option" != --* ]] || grep -rqe "\"$option\"" -e "${option#--}" "$PROJECT/benches/$name" ||
                    { echo "the benchmark $name doesn't know $option" >&2; return 1; }
            done
        elif [[ -n "$name" ]]; then
            [[ -e "$PROJECT/tests/$name.rs" || -d "$PROJECT/tests/$name" ]] || { echo "no test $name" >&2; return 1; }
        fi
        ;;
    *) echo "no cargo $1 here" >&2; return 1 ;;
    esac
}

# A script of the project: that it is there, and can be read. `scripts/test` is what runs this.
script() {
    if head -n 1 "$PROJECT/$1" | grep -q python3; then
        command python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$PROJECT/$1"
    else
        command bash -n "$PROJECT/$1"
    fi
}

bash() {
    if [[ "${1:-}" == scripts/* ]]; then script "$1"; else command bash "$@"; fi
}

# Waits for a service that a document starts in a terminal of its own.
listening() {
    local tries
    for ((tries = 0; tries < 300; tries++)); do
        (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return 0
        sleep 0.1
    done
    echo "nothing listens on $1" >&2
    return 1
}
