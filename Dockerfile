# The service as a small image: `docker build --tag tributary .`. docker-compose.yml starts it with what belongs to it.
#
# The image holds the program, the libraries it is linked to and root certificates: no shell, no package manager. It runs as
# nobody's user on a file system that may be read-only. /var/lib/tributary is for an archive in SQLite, and needs a volume.

FROM rust:1.95-slim-bookworm AS build
# make builds the allocator; the rest of what C needs, and the certificates, are in the image.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
# What is compiled stays in caches, which aren't part of the image: a second build compiles what has changed.
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/build/target \
    cargo build --release --locked --bin tributary \
    && install -D -m 755 target/release/tributary /image/usr/local/bin/tributary \
    && install -d /image/usr/share/doc/tributary \
    && bash scripts/third-party >/image/usr/share/doc/tributary/THIRD-PARTY
# The names of functions stay, for what a panic says; where their lines are does not.
RUN strip --strip-debug /image/usr/local/bin/tributary \
    && bash scripts/image-root /image/usr/local/bin/tributary /image

FROM scratch
LABEL org.opencontainers.image.title="Tributary" \
      org.opencontainers.image.description="Streaming aggregation for multi-agent systems" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0"
COPY --from=build /image /
COPY --from=build --chown=10001:10001 /image/var/lib/tributary /var/lib/tributary
COPY LICENSE-APACHE LICENSE-MIT /usr/share/doc/tributary/
COPY config/production.toml /etc/tributary/production.toml
USER 10001:10001
WORKDIR /var/lib/tributary
EXPOSE 8080
STOPSIGNAL SIGTERM
# Whoever names another configuration or address in the command names it here too.
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
    CMD ["/usr/local/bin/tributary", "--config", "/etc/tributary/production.toml", "health"]
ENTRYPOINT ["/usr/local/bin/tributary", "--config", "/etc/tributary/production.toml"]
CMD ["serve"]
