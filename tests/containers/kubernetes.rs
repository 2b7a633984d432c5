//! The manifests for Kubernetes: by its own schemas, and against what the service is.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::service::{Service, production, signed_in_and_alone, variable};
use crate::{root, text, yaml};

const FOLDER: &str = "config/kubernetes";
/// The oldest that has everything that is used (a pause without a program), and the newest whose schemas there are.
const VERSIONS: &str = "1.30,1.37";

fn files() -> BTreeSet<String> {
    let entries = fs::read_dir(root().join(FOLDER)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Every object, by its kind.
fn objects() -> BTreeMap<String, Value> {
    let files: Vec<String> = files().into_iter().filter(|file| file != "kustomization.yaml").collect();
    let paths: Vec<String> = files.iter().map(|file| format!("{FOLDER}/{file}")).collect();
    let arguments: Vec<&str> =
        ["--kubernetes", VERSIONS].into_iter().chain(paths.iter().map(String::as_str)).collect();
    let objects = yaml(&arguments, "").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(objects.len(), files.len(), "one object a file");
    objects.into_iter().map(|object| (object["kind"].as_str().unwrap().to_owned(), object)).collect()
}

fn pod(objects: &BTreeMap<String, Value>) -> &Value {
    &objects["Deployment"]["spec"]["template"]["spec"]
}

#[test]
fn every_manifest_is_one_that_kubernetes_takes_and_is_applied() {
    let objects = objects();
    for (kind, object) in &objects {
        assert_eq!(object["metadata"]["name"], "tributary", "{kind}");
        assert_eq!(object["metadata"]["labels"]["app.kubernetes.io/name"], "tributary", "{kind}");
    }
    let kustomization = yaml(&[&format!("{FOLDER}/kustomization.yaml")], "").unwrap().remove(0);
    let applied = kustomization["resources"].as_array().unwrap().iter();
    let applied: BTreeSet<String> = applied.map(|file| file.as_str().unwrap().to_owned()).collect();
    let mut there = files();
    assert!(there.remove("kustomization.yaml") && there.remove("ingress.yaml"));
    assert_eq!(applied, there);
    let image = &kustomization["images"][0];
    assert_eq!(
        (image["name"].as_str(), image["newTag"].as_str()),
        (Some("tributary"), Some(env!("CARGO_PKG_VERSION")))
    );
}

/// The schemas refuse what isn't theirs: else the test above would say nothing.
#[test]
fn a_misspelt_field_is_refused() {
    let wrong = text(&format!("{FOLDER}/deployment.yaml")).replace("maxUnavailable:", "maxUnavailible:");
    let refusal = yaml(&["--kubernetes", VERSIONS, "-"], &wrong).unwrap_err();
    assert!(refusal.contains("maxUnavailible"), "{refusal}");
}

#[test]
fn objects_mean_the_same_pods() {
    let objects = objects();
    let labels = &objects["Deployment"]["spec"]["template"]["metadata"]["labels"];
    for selector in [
        &objects["Deployment"]["spec"]["selector"]["matchLabels"],
        &objects["Service"]["spec"]["selector"],
        &objects["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
        &objects["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"],
    ] {
        assert_eq!(selector, labels);
    }
    for spread in pod(&objects)["topologySpreadConstraints"].as_array().unwrap() {
        assert_eq!(&spread["labelSelector"]["matchLabels"], labels);
    }
    let target = &objects["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"];
    assert_eq!((target["kind"].as_str(), target["name"].as_str()), (Some("Deployment"), Some("tributary")));
    // Applying a number of its own would undo the autoscaler's.
    let deployed = objects["Deployment"]["spec"].as_object().unwrap();
    assert!(!deployed.contains_key("replicas"), "{deployed:?}");
    assert_eq!(objects["HorizontalPodAutoscaler"]["spec"]["minReplicas"], 2);
    assert_eq!(pod(&objects)["serviceAccountName"], objects["ServiceAccount"]["metadata"]["name"]);
    let port = &pod(&objects)["containers"][0]["ports"][0];
    for named in [
        &objects["Service"]["spec"]["ports"][0]["targetPort"],
        &objects["NetworkPolicy"]["spec"]["ingress"][0]["ports"][0]["port"],
        &objects["Ingress"]["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]["port"]["name"],
    ] {
        assert_eq!(named, &port["name"]);
    }
    let listens = format!("listen = \"0.0.0.0:{}\"", port["containerPort"]);
    assert!(text("config/production.toml").contains(&listens), "{listens}");
}

#[test]
fn pods_run_as_nobody_and_end_when_they_have_drained() {
    let objects = objects();
    let (pod, data) = (pod(&objects), &objects["ConfigMap"]["data"]);
    let container = &pod["containers"][0];
    assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
    assert!(text("Dockerfile").contains(&format!("USER {0}:{0}", pod["securityContext"]["runAsUser"])));
    let context = &container["securityContext"];
    assert_eq!(context["readOnlyRootFilesystem"], true);
    assert_eq!(context["allowPrivilegeEscalation"], false);
    assert_eq!(context["capabilities"]["drop"][0], "ALL");
    assert_eq!(pod["automountServiceAccountToken"], false);
    assert_eq!(objects["Deployment"]["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"], 0);

    let number = |name: &str| -> u64 { data[name].as_str().unwrap().parse().unwrap() };
    let pause = container["lifecycle"]["preStop"]["sleep"]["seconds"].as_u64().unwrap();
    let drain = number("TRIBUTARY_SERVER__DRAIN_WINDOW_MS") / 1_000;
    let granted = pod["terminationGracePeriodSeconds"].as_u64().unwrap();
    // 2 s more for the last spans.
    assert!(granted > pause + drain + 2, "{granted} s for {pause} s and {drain} s");
    assert_eq!(container["resources"]["limits"]["memory"], "1Gi");
    assert!(number("TRIBUTARY_CACHE__MEMORY_BYTES_MAX") <= 1 << 29, "more than half of the container");
    assert!(container["resources"]["limits"]["cpu"].is_null());
}

/// The image's program with the variables of the ConfigMap and what a Secret has to have.
#[test]
fn the_service_takes_its_variables_and_answers_its_probes() {
    let objects = objects();
    let container = &pod(&objects)["containers"][0];
    let data = objects["ConfigMap"]["data"].as_object().unwrap();
    let given = data.iter().map(|(name, value)| variable(name, value.as_str().unwrap()));
    let mut variables: Vec<(String, String)> = given.collect();
    // Those that docs/kubernetes.md has a Secret made of.
    let page = text("docs/kubernetes.md");
    let secret: Vec<(String, String)> = page
        .lines()
        .filter_map(|line| {
            line.trim().strip_prefix("--from-literal=")?.trim_end_matches(" \\").split_once('=')
        })
        .map(|(name, value)| variable(name, value.trim_matches('\'')))
        .collect();
    assert!(secret.len() >= 4, "{secret:?}");
    let hash = format!("sha256:{}", "0".repeat(64));
    let secret = secret.into_iter().map(|(name, value)| (name, value.replace("sha256:…", &hash)));
    variables.extend(secret);
    let output = production(&variables).args(["check", "--offline"]).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success() && said == "the configuration is valid\n", "{said}");

    variables.retain(|(name, _)| !name.starts_with("TRIBUTARY_ARCHIVE"));
    variables.extend(signed_in_and_alone());
    variables.push(variable("TRIBUTARY_SERVER__LISTEN", "127.0.0.1:0"));
    let service = Service::start(production(&variables));
    for probe in ["startupProbe", "livenessProbe", "readinessProbe"] {
        let asked = &container[probe]["httpGet"];
        assert_eq!(asked["port"], container["ports"][0]["name"], "{probe}");
        assert_eq!(service.status("GET", asked["path"].as_str().unwrap(), None, ""), 200, "{probe}");
    }
    assert_eq!(container["readinessProbe"]["httpGet"]["path"], "/readyz");
    assert_eq!(
        container["livenessProbe"]["httpGet"]["path"], "/healthz",
        "Redis away is no reason for a restart"
    );
}
