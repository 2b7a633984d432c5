# The service as a small image: `docker build --tag tributary .`. docker-compose.yml starts it with Redis and PostgreSQL.

FROM rust:1.95-slim-bookworm AS build
# make builds the allocator; the rest of what C needs is in the image.
RUN apt-get update && apt-get install --yes --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
# The program is copied out of the cached folder, which isn't part of the image.
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/build/target \
    cargo build --release --locked --bin tributary && cp target/release/tributary /usr/local/bin/tributary

FROM debian:bookworm-slim
# The certificates are for rediss:// and for PostgreSQL over TLS.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/tributary /usr/local/bin/tributary
COPY config/production.toml /etc/tributary/production.toml
# Nobody's own: it writes nothing.
USER 10001:10001
EXPOSE 8080
# The image has no curl; bash opens the connection itself. Whoever listens elsewhere sets the check anew.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /healthz HTTP/1.1\\r\\nhost: localhost\\r\\nconnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["tributary", "--config", "/etc/tributary/production.toml"]
CMD ["serve"]
