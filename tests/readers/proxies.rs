//! Real proxies in front, configured as docs/proxies.md says: nginx and HAProxy.

mod proxy;
mod through;

use proxy::Proxy;
