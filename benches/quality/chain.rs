//! The whole chain: how fast, and the same bytes whatever the order of arrival and the number of threads.

use std::thread;
use std::time::{Duration, Instant};

use tributary::domain::aggregate::input::TaskInput;
use tributary::domain::aggregate::options::Options;
use tributary::domain::aggregate::{Place, Question, Request, Style, aggregate};
use tributary::domain::render::{html, llm, slack};

use crate::cases::{Case, eight_tasks, reports};
use crate::clock::cpu_seconds;
use crate::figure::{Context, Figure, Target};

/// Runs of one measurement.
const RUNS: usize = 1_000;
/// Runs before it. In the first ones of a process tables are made and memory is touched for the first time: with 200 runs and none
/// before them the second one of all was their p99.
const RUNS_BEFORE: usize = 20;

pub fn run(context: &Context) -> Vec<Figure> {
    let reports = context.data.as_deref().map(reports).unwrap_or_default();
    let eight = eight_tasks();
    let first = timed(&eight).as_secs_f64() * 1_000.0;
    let mut figures = vec![
        figure("8 results of 2,000 tokens, p99", "ms", p99_ms(&eight), Some(Target::AtMost(10.0))),
        figure("the same, the first of the row", "ms", first, None),
        figure("the same, speed", "MB/s", speed(std::slice::from_ref(&eight)), Some(Target::AtLeast(20.0))),
    ];
    let mut cases = reports;
    if !cases.is_empty() {
        figures.push(figure("reports, speed", "MB/s", speed(&cases), Some(Target::AtLeast(20.0))));
    }
    figures.extend(renderings(&eight));
    cases.push(eight);
    let differing = cases.iter().map(differing).sum::<usize>();
    let measure = "results that differ: 12 orders, 1, 2 and 8 threads";
    figures.push(figure(measure, "", differing as f64, Some(Target::AtMost(0.0))));
    figures
}

/// How fast a result is put into other forms: bytes of its texts a second, CPU time.
fn renderings(case: &Case) -> Vec<Figure> {
    let result = aggregate(request(case, case.tasks.clone()));
    let bytes = result.results.iter().map(|task| task.content.len()).sum::<usize>() + result.synthesis.len();
    let speed = |render: &dyn Fn() -> usize| {
        let (begin, mut rounds) = (cpu_seconds(), 0_u32);
        while cpu_seconds() - begin < 0.3 {
            std::hint::black_box(render());
            rounds += 1;
        }
        f64::from(rounds) * bytes as f64 / 1e6 / (cpu_seconds() - begin)
    };
    let query = Some(case.query.as_str());
    vec![
        figure("as llm", "MB/s", speed(&|| llm(&result, query).len()), Some(Target::AtLeast(50.0))),
        figure("as slack", "MB/s", speed(&|| slack(&result).to_string().len()), Some(Target::AtLeast(50.0))),
        figure("as html", "MB/s", speed(&|| html(&result, query).len()), Some(Target::AtLeast(20.0))),
    ]
}

fn figure(measure: &'static str, unit: &'static str, ours: f64, target: Option<Target>) -> Figure {
    Figure { row: "chain", measure, unit, ours, peers: Vec::new(), target }
}

fn request(case: &Case, tasks: Vec<TaskInput>) -> Request {
    Request {
        question: Question { query: Some(case.query.clone()), goal: None },
        tasks,
        options: Options::default(),
        place: Place::nowhere(),
        style: Style::Findings,
    }
}

fn bytes_of(case: &Case, tasks: Vec<TaskInput>) -> Vec<u8> {
    serde_json::to_vec(&aggregate(request(case, tasks))).expect("a result is JSON")
}

fn p99_ms(case: &Case) -> f64 {
    let mut times: Vec<Duration> = (0..RUNS_BEFORE + RUNS).map(|_| timed(case)).skip(RUNS_BEFORE).collect();
    times.sort();
    times[RUNS * 99 / 100].as_secs_f64() * 1_000.0
}

fn timed(case: &Case) -> Duration {
    let request = request(case, case.tasks.clone());
    let begin = Instant::now();
    let result = aggregate(request);
    let took = begin.elapsed();
    assert!(!result.synthesis.is_empty());
    took
}

/// Bytes of content a second, of all cases; each at its median.
fn speed(cases: &[Case]) -> f64 {
    let (mut bytes, mut seconds) = (0, 0.0);
    for case in cases {
        let mut times: Vec<Duration> = (0..9).map(|_| timed(case)).collect();
        times.sort();
        seconds += times[4].as_secs_f64();
        bytes += case.tasks.iter().map(|task| task.content.len()).sum::<usize>();
    }
    bytes as f64 / 1e6 / seconds
}

/// How many of some orders and threads give other bytes than the first.
fn differing(case: &Case) -> usize {
    let first = bytes_of(case, case.tasks.clone());
    let mut random = fastrand::Rng::with_seed(7);
    let orders: Vec<Vec<TaskInput>> = (0..12)
        .map(|_| {
            let mut tasks = case.tasks.clone();
            random.shuffle(&mut tasks);
            tasks
        })
        .collect();
    let of_threads = |threads: usize| -> usize {
        thread::scope(|scope| {
            let chunks = orders.chunks(orders.len().div_ceil(threads));
            let running: Vec<_> = chunks
                .map(|orders| {
                    let first = &first;
                    let differs = |tasks: &&Vec<TaskInput>| bytes_of(case, (*tasks).clone()) != *first;
                    scope.spawn(move || orders.iter().filter(differs).count())
                })
                .collect();
            running.into_iter().map(|thread| thread.join().expect("aggregation doesn't panic")).sum()
        })
    };
    [1, 2, 8].into_iter().map(of_threads).sum()
}
