//! `tributary check`: whether the models answer and the collectors take what they are sent.

use std::process::Command;

use crate::model_server::{ModelServer, Says};
use crate::otlp_receiver::{Answer, OtlpReceiver};
use crate::scene::{BOTH, MODEL};

async fn check(variables: &[(&str, &str)]) -> (bool, String) {
    let foreign = |name: &str| ["TRIBUTARY_", "OTEL_", "AI_"].iter().any(|begin| name.starts_with(begin));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| foreign(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    command.arg("check").envs(variables.iter().copied());
    let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[tokio::test]
async fn a_check_says_whether_a_model_answers() {
    for protocol in BOTH {
        let server = ModelServer::saying(|_| Says::Text("ready".to_owned())).await;
        let url = server.url();
        let model = [
            ("TRIBUTARY_SYNTHESIS__PROVIDER", protocol.name()),
            ("TRIBUTARY_SYNTHESIS__BASE_URL", &url),
            ("TRIBUTARY_SYNTHESIS__MODEL", MODEL),
            ("TRIBUTARY_SYNTHESIS__API_KEY", "canary-key"),
        ];
        let (right, said) = check(&model).await;
        assert!(right && said.contains(&format!("synthesis: {MODEL} answers")), "{said}");
        let asked = server.asked();
        assert_eq!((asked.len(), asked[0].output_tokens_max()), (1, 16), "it costs a word");

        let server = ModelServer::saying(|_| Says::Status(401, Vec::new(), String::new())).await;
        let url = server.url();
        let (right, said) = check(&[&model[..], &[("TRIBUTARY_SYNTHESIS__BASE_URL", &url)]].concat()).await;
        assert!(!right && said.contains("refuses the key (status 401)"), "{said}");
        assert!(said.contains("can't be used: synthesis") && !said.contains("canary-key"), "{said}");
    }
}

#[tokio::test]
async fn a_check_says_whether_collectors_take_what_they_are_sent() {
    for protocol in ["http/protobuf", "grpc"] {
        let collector = OtlpReceiver::start().await;
        let endpoint = collector.endpoint();
        let variables =
            [("OTEL_EXPORTER_OTLP_ENDPOINT", &*endpoint), ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol)];
        let (right, said) = check(&variables).await;
        assert!(right, "{said}");
        for signal in ["traces", "metrics"] {
            assert!(said.contains(&format!("{signal}: reachable, 127.0.0.1")), "{said}");
        }
        collector.answer(Answer::Refuse(401));
        let (right, said) = check(&variables).await;
        assert!(!right && said.contains("can't be used: traces, metrics"), "{protocol}: {said}");
    }
}
