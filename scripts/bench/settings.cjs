// The settings of the baseline's server, which equal those of src/gateway/server.ts.

module.exports = {
  requireHostHeader: false,
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 5000,
  noDelay: true,
};
