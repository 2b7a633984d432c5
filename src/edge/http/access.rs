//! Who calls, and what they may do: looked at before anything else is, so that a refusal says nothing of what exists.
//!
//! A caller shows a token (`Authorization: Bearer`), or, where a browser can't, a ticket (`?ticket=`) that is exchanged for
//! a cookie. All become a [`Caller`]. The scope belongs to the route ([`require`]); the session is looked at where the ids
//! of the path are read (`extract`).

mod cookie;
mod origin;
mod shown;
pub mod tickets;

pub use cookie::CookieSettings;

use std::sync::{Arc, LazyLock};

use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use shown::{Shown, UNREAD, bearer, reads, token_in};

use super::app::App;
use super::extract::form_pairs;
use super::in_stream;
use super::problem::Problem;
use crate::domain::access::{Denied, Grant, Scope};
use crate::domain::ids::{SessionId, TenantId};
use crate::domain::verdict::Code;
use crate::engine::clock::wall_clock as now;
use crate::engine::ports::sign_in::{Redeemed, SignIn, SignInError};

/// How callers are told apart.
pub struct Access {
    /// Whether a token is needed. Where not, everyone may do everything.
    pub required: bool,
    /// Checks tokens, tickets and cookies.
    pub sign_in: Arc<dyn SignIn>,
    /// How cookies are set.
    pub cookies: CookieSettings,
    /// Origins besides our own whose pages may call.
    pub origins: Vec<String>,
}

/// Who calls: what they were granted.
#[derive(Debug, Clone)]
pub struct Caller(Arc<Grant>);

impl Caller {
    /// Whoever can connect, where no one signs in.
    fn anyone() -> Self {
        static ANYONE: LazyLock<Arc<Grant>> = LazyLock::new(|| {
            Arc::new(Grant {
                tenant: TenantId::default_tenant(),
                scopes: [Scope::Plan, Scope::Publish, Scope::Read, Scope::Admin].into_iter().collect(),
                sessions: None,
                expires_at: None,
                name: "anyone".into(),
            })
        });
        Self(ANYONE.clone())
    }

    /// Whose sessions it sees.
    pub fn tenant(&self) -> &TenantId {
        &self.0.tenant
    }

    /// What it was granted.
    pub fn grant(&self) -> &Grant {
        &self.0
    }

    /// Refuses who may not do this, or not with this session.
    fn allows(&self, scope: Scope, session: Option<&SessionId>) -> Result<(), Problem> {
        self.0.allows(scope, session).map_err(Problem::from)
    }

    /// Refuses who hasn't this scope, besides that of the route.
    ///
    /// # Errors
    /// `forbidden`.
    pub fn has(&self, scope: Scope) -> Result<(), Problem> {
        self.allows(scope, None)
    }

    /// Refuses who may not work with this session.
    ///
    /// # Errors
    /// `forbidden`, in the same words whether or not the session exists.
    pub fn covers(&self, session: &SessionId) -> Result<(), Problem> {
        if self.0.covers(session) { Ok(()) } else { Err(Denied::Session.into()) }
    }

    /// Refuses who may see some sessions only: what sums up a tenant is for who may see them all.
    ///
    /// # Errors
    /// `forbidden`.
    pub fn whole_tenant(&self) -> Result<&TenantId, Problem> {
        if self.0.is_whole_tenant() {
            return Ok(&self.0.tenant);
        }
        Err(Problem::new(Code::Forbidden, "the token is for some sessions only, and this is about all"))
    }

    /// How long what it opens may stay open; `None`: as long as it likes.
    pub fn remaining(&self) -> Option<std::time::Duration> {
        let end = self.0.expires_at?;
        Some(std::time::Duration::from_millis(end.since_ms(now())))
    }
}

impl From<Denied> for Problem {
    fn from(denied: Denied) -> Self {
        Problem::new(Code::Forbidden, denied.to_string())
    }
}

impl From<SignInError> for Problem {
    fn from(error: SignInError) -> Self {
        Problem::new(error.code, error.text)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let caller = parts.extensions.get::<Self>().cloned();
        caller.ok_or_else(|| Problem::new(Code::Internal, "nobody looked at who calls"))
    }
}

/// Who came in, and the cookie for the next time.
struct Entered {
    caller: Caller,
    set_cookie: Option<HeaderValue>,
}

impl From<Caller> for Entered {
    fn from(caller: Caller) -> Self {
        Self { caller, set_cookie: None }
    }
}

impl Access {
    /// Who sends an event, and whether it may: past the router, at once for a token that is known.
    ///
    /// # Errors
    /// `unauthorized`, `token_expired`, `forbidden`, `store_unavailable`.
    pub async fn sender(&self, headers: &HeaderMap, session: &SessionId) -> Result<Caller, Problem> {
        self.sender_with(bearer(headers), session).await
    }

    /// The same, by the value of the one `Authorization` field that it sent.
    ///
    /// # Errors
    /// As `sender`.
    pub async fn sender_by(
        &self,
        authorization: Option<&[u8]>,
        session: &SessionId,
    ) -> Result<Caller, Problem> {
        self.sender_with(authorization.map(token_in), session).await
    }

    async fn sender_with(&self, token: Option<&str>, session: &SessionId) -> Result<Caller, Problem> {
        if !self.required {
            return Ok(Caller::anyone());
        }
        let caller = self.by_token(token.ok_or_else(nothing_shown)?).await?;
        caller.allows(Scope::Publish, Some(session))?;
        Ok(caller)
    }

    async fn by_token(&self, token: &str) -> Result<Caller, Problem> {
        let now = now();
        let granted = match self.sign_in.known(token, now) {
            Some(known) => known,
            None => self.sign_in.authenticate(token, now).await,
        };
        let granted = granted.map_err(Problem::from);
        Ok(Caller(granted.map_err(|problem| if token == UNREAD { problem } else { problem.of_a_token() })?))
    }

    /// Exchanges a ticket. One that is shown to another session than its own, or where it opens nothing, isn't spent, and
    /// gets nothing.
    async fn redeem(
        &self,
        ticket: &str,
        scope: Scope,
        session: Option<&SessionId>,
    ) -> Result<Redeemed, Problem> {
        let holder = Caller(self.sign_in.ticket(ticket, now()).await?);
        if let Some(session) = session {
            holder.covers(session)?;
        }
        holder.has(scope)?;
        Ok(self.sign_in.redeem(ticket, now()).await?)
    }

    async fn enter(
        &self,
        shown: Shown<'_>,
        scope: Scope,
        (method, headers): (&Method, &HeaderMap),
    ) -> Result<Entered, Problem> {
        if !self.required {
            self.check_page(method, headers, shown.host)?;
            return Ok(Caller::anyone().into());
        }
        if let Some(token) = shown.token {
            return self.by_token(token).await.map(Entered::from);
        }
        if let Some(ticket) = &shown.ticket {
            let (session, asked) = shown.session.as_ref().map(|(session, asked)| (session, *asked)).unzip();
            match self.redeem(ticket, scope, session).await {
                Ok(redeemed) => return Ok(self.cookies.entered(redeemed, asked)),
                // An `EventSource` comes back with the address that it has, and by now with a cookie.
                Err(problem) if problem.code == Code::Unauthorized && shown.cookie.is_some() => {}
                Err(problem) => return Err(problem),
            }
        }
        let cookie = shown.cookie.ok_or_else(nothing_shown)?;
        self.check_origin(headers, shown.host)?;
        Ok(Caller(self.sign_in.cookie(cookie, now()).await?).into())
    }
}

/// The session of a path below `/planner/sessions`, and how it is written there.
fn session_of(path: &str) -> Option<(SessionId, &str)> {
    let rest = path.strip_prefix("/planner/sessions/")?;
    let name = rest.split('/').next()?;
    let session = percent_encoding::percent_decode_str(name).decode_utf8().ok()?.parse().ok()?;
    Some((session, name))
}

fn nothing_shown() -> Problem {
    Problem::new(
        Code::Unauthorized,
        "a token is needed: `Authorization: Bearer …`, or a ticket for a browser",
    )
}

/// Lets in who has the scope of a route; what deletes or explains needs `admin`, and that alone.
pub async fn require(
    State((app, scope)): State<(App, Scope)>,
    mut request: Request,
    next: Next,
) -> Result<Response, Response> {
    let operates = request.method() == Method::DELETE || explains(&request);
    let scope = if operates { Scope::Admin } else { scope };
    let (method, headers) = (request.method(), request.headers());
    let entered = match Shown::of(method, request.uri(), headers) {
        Ok(shown) => app.access.enter(shown, scope, (method, headers)).await,
        Err(problem) => Err(problem),
    };
    let admitted = entered.and_then(|entered| entered.caller.allows(scope, None).map(|()| entered));
    let Entered { caller, set_cookie } = admitted.map_err(|problem| refusal(&app, problem, &request))?;
    request.extensions_mut().insert(caller);
    let mut response = next.run(request).await;
    if let Some(cookie) = set_cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Whether a result is asked for with all that it was made of. By its route, as an id may be `result`. The handler asks for the
/// scope once more: what is let in here by its query is decided there by its meaning.
fn explains(request: &Request) -> bool {
    let asked = |(name, value): (String, String)| name == "explain" && value == "true";
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    reads(request.method())
        && route.is_some_and(|route| route.ends_with("/result"))
        && form_pairs(request.uri().query().unwrap_or_default()).any(asked)
}

/// An `EventSource` gives up on another status than 200: it should where its token is wrong, and not where the service
/// can't tell for now.
fn refusal(app: &App, problem: Problem, request: &Request) -> Response {
    let passes = problem.code == Code::StoreUnavailable;
    if passes && in_stream::is_taken_by(request.method(), request.headers()) {
        return in_stream::refusal(&problem, in_stream::spread(app.settings.retry_ms));
    }
    problem.into_response()
}
