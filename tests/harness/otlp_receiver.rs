//! A collector for tests: takes OTLP as protobuf over HTTP/1 and over gRPC on one port, keeps what it got, and answers as
//! it is told to.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::io::Read;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_server::{
    MetricsService, MetricsServiceServer,
};
use opentelemetry_proto::tonic::collector::metrics::v1::{
    ExportMetricsServiceRequest, ExportMetricsServiceResponse,
};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::metrics::v1::{Metric, ResourceMetrics};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, Span};
use prost::Message;
use tokio::sync::watch;
use tonic::codec::CompressionEncoding;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Code, Request, Status};

/// Waiting for a state ends here.
const DEADLINE: Duration = Duration::from_secs(20);

/// What is done with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It is kept and thanked for.
    Take,
    /// It is never answered.
    Hang,
    /// It is refused with this HTTP status, or gRPC's nearest to it.
    Refuse(u16),
    /// It is answered with what isn't protobuf (HTTP only).
    Garbage,
}

/// What came in until now.
#[derive(Debug, Clone, Default)]
pub struct Received {
    /// Spans that were kept, with whose they are.
    pub spans: Vec<ResourceSpans>,
    /// Metrics that were kept, a push after the other.
    pub metrics: Vec<ResourceMetrics>,
    /// The headers of every request, kept or not.
    pub requests: Vec<HeaderMap>,
}

/// The collector. Ends when it is dropped, and its port refuses connections then.
pub struct OtlpReceiver {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: tokio::task::JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    answer: watch::Sender<Answer>,
    received: watch::Sender<Received>,
}

impl OtlpReceiver {
    pub async fn start() -> Self {
        Self::start_at(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    /// Starts on a port where one ended before.
    pub async fn start_at(address: SocketAddr) -> Self {
        let listener = tokio::net::TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            answer: watch::Sender::new(Answer::Take),
            received: watch::Sender::new(Received::default()),
        });
        let routes = axum::Router::new()
            .route("/v1/traces", post(traces))
            .route("/v1/metrics", post(metrics))
            .route("/elsewhere", post(traces))
            .with_state(Arc::clone(&shared));
        let traces = TraceServiceServer::from_arc(Arc::clone(&shared));
        let metrics = MetricsServiceServer::from_arc(Arc::clone(&shared));
        let routes = Routes::from(routes)
            .add_service(traces.accept_compressed(CompressionEncoding::Gzip))
            .add_service(metrics.accept_compressed(CompressionEncoding::Gzip));
        let server = Server::builder().accept_http1(true).add_routes(routes);
        let incoming = TcpIncoming::from(listener);
        let task = tokio::spawn(async move { server.serve_with_incoming(incoming).await.unwrap() });
        Self { address, shared, task }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What goes into `OTEL_EXPORTER_OTLP_ENDPOINT`.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// How it answers from now on; requests that hang are answered that way as well.
    pub fn answer(&self, answer: Answer) {
        self.shared.answer.send_replace(answer);
    }

    /// Waits until what came in is as it should be.
    pub async fn until(&self, what: &str, reached: impl FnMut(&Received) -> bool) -> Received {
        let mut received = self.shared.received.subscribe();
        match tokio::time::timeout(DEADLINE, received.wait_for(reached)).await {
            Ok(received) => received.unwrap().clone(),
            Err(_) => panic!("no {what}, but {:?}", self.shared.received.borrow()),
        }
    }

    pub fn received(&self) -> Received {
        self.shared.received.borrow().clone()
    }
}

impl Drop for OtlpReceiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Received {
    /// All spans, in the order in which they came.
    pub fn all_spans(&self) -> Vec<&Span> {
        self.spans.iter().flat_map(|of| &of.scope_spans).flat_map(|of| &of.spans).collect()
    }

    pub fn span(&self, name: &str) -> Option<&Span> {
        self.all_spans().into_iter().find(|span| span.name == name)
    }

    /// The last that came of a metric.
    pub fn metric(&self, name: &str) -> Option<&Metric> {
        let mut all = self.metrics.iter().flat_map(|of| &of.scope_metrics).flat_map(|of| &of.metrics);
        all.rfind(|metric| metric.name == name)
    }

    /// What the last sender says that it is.
    pub fn resource(&self) -> Option<&Resource> {
        let metrics = self.metrics.last().and_then(|of| of.resource.as_ref());
        self.spans.last().and_then(|of| of.resource.as_ref()).or(metrics)
    }
}

impl Shared {
    /// Counts a request, and waits for as long as it hangs.
    async fn begin(&self, headers: HeaderMap) -> Answer {
        // Copies: a value is a piece of the connection's buffer, and would keep the body with it.
        let copy = |(name, value): (_, &HeaderValue)| {
            (HeaderName::clone(name), HeaderValue::from_bytes(value.as_bytes()).unwrap())
        };
        let headers = headers.iter().map(copy).collect();
        self.received.send_modify(|received| received.requests.push(headers));
        let mut answer = self.answer.subscribe();
        let answer = answer.wait_for(|answer| *answer != Answer::Hang).await;
        answer.map_or(Answer::Hang, |answer| *answer)
    }

    async fn http<T: Message + Default>(
        &self,
        headers: HeaderMap,
        body: Bytes,
        keep: impl FnOnce(&mut Received, T),
    ) -> Response {
        let gzip = headers.get(header::CONTENT_ENCODING).is_some_and(|value| value == "gzip");
        let protobuf =
            headers.get(header::CONTENT_TYPE).is_some_and(|value| value == "application/x-protobuf");
        match self.begin(headers).await {
            Answer::Take | Answer::Hang => {}
            Answer::Refuse(status) => return StatusCode::from_u16(status).unwrap().into_response(),
            Answer::Garbage => return "\u{1}\u{ff} this is no protobuf".into_response(),
        }
        let body = if gzip { gunzip(&body) } else { body.to_vec() };
        match T::decode(&*body) {
            Ok(request) if protobuf => self.received.send_modify(|received| keep(received, request)),
            _ => return StatusCode::BAD_REQUEST.into_response(),
        }
        ([(header::CONTENT_TYPE, "application/x-protobuf")], Bytes::new()).into_response()
    }

    async fn grpc<T>(&self, request: Request<T>, keep: impl FnOnce(&mut Received, T)) -> Result<(), Status> {
        let (metadata, _, message) = request.into_parts();
        match self.begin(metadata.into_headers()).await {
            Answer::Take | Answer::Hang | Answer::Garbage => {}
            Answer::Refuse(429) => return Err(Status::new(Code::ResourceExhausted, "")),
            Answer::Refuse(503) => return Err(Status::new(Code::Unavailable, "")),
            Answer::Refuse(_) => return Err(Status::new(Code::Internal, "")),
        }
        self.received.send_modify(|received| keep(received, message));
        Ok(())
    }
}

fn gunzip(body: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(body).read_to_end(&mut plain).unwrap();
    plain
}

fn keep_spans(received: &mut Received, request: ExportTraceServiceRequest) {
    received.spans.extend(request.resource_spans);
}

fn keep_metrics(received: &mut Received, request: ExportMetricsServiceRequest) {
    received.metrics.extend(request.resource_metrics);
}

async fn traces(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    shared.http(headers, body, keep_spans).await
}

async fn metrics(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    shared.http(headers, body, keep_metrics).await
}

#[tonic::async_trait]
impl TraceService for Shared {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<tonic::Response<ExportTraceServiceResponse>, Status> {
        self.grpc(request, keep_spans).await?;
        Ok(tonic::Response::new(ExportTraceServiceResponse::default()))
    }
}

#[tonic::async_trait]
impl MetricsService for Shared {
    async fn export(
        &self,
        request: Request<ExportMetricsServiceRequest>,
    ) -> Result<tonic::Response<ExportMetricsServiceResponse>, Status> {
        self.grpc(request, keep_metrics).await?;
        Ok(tonic::Response::new(ExportMetricsServiceResponse::default()))
    }
}
