"""Prints the documents of YAML files, or of standard input, as one JSON array.

With `--kubernetes VERSION,…` each must also be an object that these versions of Kubernetes take, without an unknown field.
"""

import json
import sys

import yaml


def main():
    arguments = sys.argv[1:]
    versions = []
    if arguments[:1] == ["--kubernetes"]:
        versions = arguments[1].split(",")
        arguments = arguments[2:]
    documents = []
    for name in arguments or ["-"]:
        text = sys.stdin.read() if name == "-" else open(name, encoding="utf-8").read()
        for document in yaml.safe_load_all(text):
            for version in versions:
                complain(name, document, version)
            documents.append(document)
    print(json.dumps(documents))


def complain(name, document, version):
    import kubernetes_validate

    try:
        kubernetes_validate.validate(document, version, strict=True)
    except kubernetes_validate.ValidationError as error:
        sys.exit(f"{name}: Kubernetes {version}: {'.'.join(map(str, error.path))}: {error.message}")


main()
