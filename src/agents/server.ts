// The MCP server of one request or connection: the tools, resources and prompts behind the handlers of the SDK.

import type { Server } from '@modelcontextprotocol/server';

import { VERSION } from '../version.ts';
import { prompts } from './prompts.ts';
import { isNoResource, listResources, MEMORY_TEMPLATE, readResource } from './resources.ts';
import { INSTRUCTIONS } from './skill.ts';
import type { CallContext } from './tool.ts';
import { callTool, toolDefinitions, tools, type ReportError } from './tools/tools.ts';

/** The SDK, which is loaded on first use. */
export type Sdk = typeof import('./sdk.ts');

/** What a server knows about its caller. */
export interface ServerCall {
  /** Returns the context of a call. Its signal aborts when the caller leaves. */
  readonly context: (signal: AbortSignal) => CallContext;
  readonly report: ReportError;
  /** Called when a method or a tool is called, with its name for logs, `mcp.search`, and the memory that it names. */
  readonly onCall: (name: string, memory_id?: string) => void;
  /** Called after a call of a tool, with figures for a log. Default: none. */
  readonly onResult?: (figures: CallFigures) => void;
}

/** Figures of a call. Its arguments and its response are not among them. */
export interface CallFigures {
  readonly tool: string;
  readonly duration_ms: number;
  /** The size of the result, in bytes. */
  readonly bytes: number;
  readonly is_error: boolean;
}

/** Lists are the same for everyone. */
const PUBLIC = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
/** Contents belong to the account, and may change at any time. */
const PRIVATE = { ttlMs: 0, cacheScope: 'private' } as const;

const INVALID_PARAMS = -32_602;

/** Creates a server. */
export function createMcpServer(
  sdk: Sdk,
  { context, report, onCall, onResult }: ServerCall,
): Server {
  const server = new sdk.Server(
    { name: 'memory-gateway', title: 'Memory Gateway', version: VERSION },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        'server/discover': PUBLIC,
        'tools/list': PUBLIC,
        'prompts/list': PUBLIC,
        'resources/templates/list': PUBLIC,
        'resources/list': PRIVATE,
        'resources/read': PRIVATE,
      },
    },
  );
  const invalid = (message: string) => new sdk.ProtocolError(INVALID_PARAMS, message);

  server.setRequestHandler('tools/list', () => ({ tools: toolDefinitions() }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw invalid(`Unknown tool. The tools are ${tools.map(({ name }) => name).join(', ')}.`);
    onCall(`mcp.${tool.name}`, memoryOf(params.arguments?.['id']));
    const started = performance.now();
    const result = await callTool(
      { tool, args: params.arguments ?? {} },
      context(mcpReq.signal),
      report,
    );
    onResult?.({
      tool: tool.name,
      duration_ms: Math.round((performance.now() - started) * 1000) / 1000,
      bytes: Buffer.byteLength(result.content[0]?.text ?? ''),
      is_error: result.isError ?? false,
    });
    return result;
  });

  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ text: _, ...prompt }) => ({
      ...prompt,
      arguments: [...prompt.arguments],
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    if (prompt === undefined)
      throw invalid(
        `Unknown prompt. The prompts are ${prompts.map(({ name }) => name).join(', ')}.`,
      );
    const values = params.arguments ?? {};
    const missing = prompt.arguments.find(
      ({ name, required }) => required && !values[name]?.trim(),
    );
    if (missing !== undefined) throw invalid(`Send the argument "${missing.name}".`);
    onCall('mcp.prompt');
    const text = prompt.text(values);
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
    };
  });

  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [MEMORY_TEMPLATE],
  }));
  server.setRequestHandler('resources/list', async ({ params }, { mcpReq }) => {
    onCall('mcp.resources');
    return asInvalid(() => listResources(context(mcpReq.signal), params?.cursor));
  });
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq }) => {
    onCall('mcp.resource', memoryOf(params.uri.slice('memory://'.length)));
    return asInvalid(() => readResource(context(mcpReq.signal), params.uri), params.uri);
  });
  return server;

  /** Turns our failures into errors of the protocol. Others are reported. */
  async function asInvalid<T>(run: () => Promise<T>, uri?: string): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!isNoResource(error)) throw new sdk.ProtocolError(-32_603, report(error).detail);
      if (uri === undefined) throw invalid('Send a cursor of an earlier list.');
      throw new sdk.ProtocolError(INVALID_PARAMS, 'There is no resource with this URI.', { uri });
    }
  }
}

/** Returns the id of a memory in a place, such as `ID#L120`. It may be no valid one. */
function memoryOf(place: unknown): string | undefined {
  return typeof place === 'string' ? place.split('#', 1)[0] : undefined;
}
