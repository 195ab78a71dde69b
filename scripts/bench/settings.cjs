// The settings of a floor's server, which are those of ours: src/gateway/server.ts.

module.exports = {
  requireHostHeader: false,
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 5000,
  noDelay: true,
};
