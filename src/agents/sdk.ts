// The parts of the MCP SDK that are used. Import it dynamically only: it takes 200 ms and 35 MB to load.

export {
  createMcpHandler,
  ProtocolError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
export { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
