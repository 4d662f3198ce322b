# Sourced by the scripts that run browser modules outside a browser.
# Node 18, which Debian 12 has, keeps what browsers call crypto behind a switch.
if [ "$(node -p 'parseInt(process.versions.node)')" -lt 19 ]; then
    export NODE_OPTIONS=--experimental-global-webcrypto
fi
