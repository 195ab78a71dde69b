// The tools, resources and prompts that the conformance suite wants to call, behind the entry point for agents.

import { setTimeout as sleep } from 'node:timers/promises';

import type { Server, ServerContext } from '@modelcontextprotocol/server';

import type { Sdk } from '../../src/agents/server.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const user = (content: object) => ({ role: 'user', content });
const embedded = (uri: string, mimeType: string, said: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: said },
});

const elicit = (message: string, name: string, type = 'string') => ({
  method: 'elicitation/create',
  params: {
    message,
    mode: 'form',
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] },
  },
});
const sample = (said: string, maxTokens: number) => ({
  method: 'sampling/createMessage',
  params: { messages: [user({ type: 'text', text: said })], maxTokens },
});
const ROOTS = { method: 'roots/list', params: {} };

/** What a fixture knows of its request. */
interface Asked {
  readonly inputs: Readonly<Record<string, Record<string, unknown>>>;
  readonly state: string | undefined;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly notify: (method: string, params: object) => Promise<void>;
  readonly log: (said: string) => Promise<void>;
  readonly progressToken: string | number | undefined;
}

const required = (inputRequests: object, requestState?: string) => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState === undefined ? {} : { requestState }),
});

const isContent = (input: Record<string, unknown> | undefined) =>
  typeof input?.['content'] === 'object' && input['content'] !== null;

/** The tools, by name. */
const tools: Readonly<Record<string, (asked: Asked, sdk: Sdk) => unknown>> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }),
  test_embedded_resource: () => ({
    content: [
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  test_tool_with_progress: async ({ notify, progressToken }) => {
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await notify('notifications/progress', { progressToken, progress, total: 100 });
      await sleep(50);
    }
    return text('done');
  },
  test_tool_with_logging: async ({ notify }) => {
    for (const data of [
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ]) {
      await notify('notifications/message', { level: 'info', data });
      await sleep(50);
    }
    return text('done');
  },
  test_missing_capability: () => required({ question: sample('Which?', 10) }),
  test_logging_tool: async ({ log }) => {
    await log('a message');
    return text('done');
  },
  test_streaming_elicitation: ({ inputs }) =>
    isContent(inputs['user_name'])
      ? text('done')
      : required({ user_name: elicit('What is your name?', 'name') }),
  test_input_required_result_elicitation: ({ inputs }) =>
    isContent(inputs['user_name'])
      ? text(`Hello, ${JSON.stringify(inputs['user_name'])}!`)
      : required({ user_name: elicit('What is your name?', 'name') }),
  test_input_required_result_sampling: ({ inputs }) =>
    inputs['capital_question']
      ? text(JSON.stringify(inputs['capital_question']))
      : required({ capital_question: sample('What is the capital of France?', 100) }),
  test_input_required_result_list_roots: ({ inputs }) =>
    inputs['client_roots']
      ? text(JSON.stringify(inputs['client_roots']))
      : required({ client_roots: ROOTS }),
  test_input_required_result_request_state: ({ inputs, state }) =>
    inputs['confirm'] && state === 'state-1'
      ? text('state-ok')
      : required({ confirm: elicit('Please confirm', 'ok', 'boolean') }, 'state-1'),
  test_input_required_result_multiple_inputs: ({ inputs }) =>
    inputs['user_name'] && inputs['greeting'] && inputs['client_roots']
      ? text('all')
      : required(
          {
            user_name: elicit('What is your name?', 'name'),
            greeting: sample('Generate a greeting', 50),
            client_roots: ROOTS,
          },
          'state-1',
        ),
  test_input_required_result_multi_round: ({ inputs, state }) => {
    if (state === 'state-2' && inputs['step2']) return text('done');
    return state === 'state-1' && inputs['step1']
      ? required({ step2: elicit('Step 2: What is your favorite color?', 'color') }, 'state-2')
      : required({ step1: elicit('Step 1: What is your name?', 'name') }, 'state-1');
  },
  test_input_required_result_tampered_state: ({ state }, sdk) => {
    if (state === undefined)
      return required({ confirm: elicit('Please confirm', 'ok', 'boolean') }, 'signed-state');
    if (state !== 'signed-state') throw new sdk.ProtocolError(-32_602, 'The state was changed.');
    return text('state-ok');
  },
  test_input_required_result_capabilities: ({ inputs, capabilities }) => {
    if (Object.keys(inputs).length > 0) return text('done');
    return required({
      ...('elicitation' in capabilities && { name: elicit('What is your name?', 'name') }),
      ...('sampling' in capabilities && { greeting: sample('Generate a greeting', 50) }),
      ...('roots' in capabilities && { roots: ROOTS }),
    });
  },
};

/** The prompts, by name. */
const prompts: Readonly<
  Record<string, (args: Readonly<Record<string, string>>, asked: Asked) => unknown>
> = {
  test_simple_prompt: () => ({
    messages: [user({ type: 'text', text: 'This is a simple prompt for testing.' })],
  }),
  test_prompt_with_arguments: ({ arg1, arg2 }) => ({
    messages: [
      user({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
    ],
  }),
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) => ({
    messages: [
      user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
      user({ type: 'text', text: 'Please process the embedded resource above.' }),
    ],
  }),
  test_prompt_with_image: () => ({
    messages: [user(image), user({ type: 'text', text: 'Please analyze the image above.' })],
  }),
  test_input_required_result_prompt: (_args, { inputs }) =>
    inputs['user_context']
      ? { messages: [user({ type: 'text', text: 'done' })] }
      : required({ user_context: elicit('What context should the prompt use?', 'context') }),
};

const TEXT = { uri: 'test://static-text', mimeType: 'text/plain' };
const BINARY = { uri: 'test://static-binary', mimeType: 'image/png' };

function readFixture(uri: string): object | undefined {
  if (uri === TEXT.uri)
    return { ...TEXT, text: 'This is the content of the static text resource.' };
  if (uri === BINARY.uri) return { ...BINARY, blob: PNG };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return undefined;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { uri, mimeType: 'application/json', text: JSON.stringify(data) };
}

/** Creates a server with the fixtures. */
export function createFixtureServer(sdk: Sdk): Server {
  const hint = { ttlMs: 0, cacheScope: 'private' } as const;
  const server = new sdk.Server(
    { name: 'fixtures', version: '1' },
    {
      capabilities: {
        tools: {},
        prompts: {},
        resources: { subscribe: true },
        logging: {},
        completions: {},
      },
      cacheHints: {
        'tools/list': hint,
        'prompts/list': hint,
        'resources/list': hint,
        'resources/templates/list': hint,
        'resources/read': hint,
        'server/discover': hint,
      },
    },
  );
  const askedOf = (mcpReq: ServerContext['mcpReq']): Asked => ({
    inputs: (mcpReq.inputResponses ?? {}) as Asked['inputs'],
    state: mcpReq.requestState<string>(),
    capabilities: (Reflect.get(
      mcpReq.envelope ?? {},
      'io.modelcontextprotocol/clientCapabilities',
    ) ?? {}) as Asked['capabilities'],
    notify: (method, params) => mcpReq.notify({ method, params } as never),
    log: (said) => mcpReq.log('info', said),
    progressToken: Reflect.get(Object(Reflect.get(mcpReq, '_meta')), 'progressToken'),
  });
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: 'A fixture.',
      inputSchema: { type: 'object' as const },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name } }, { mcpReq }) => {
    const tool = tools[name];
    if (tool === undefined) throw new sdk.ProtocolError(-32_602, 'Unknown tool.');
    return (await tool(askedOf(mcpReq), sdk)) as never;
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.keys(prompts).map((name) => ({ name, description: 'A fixture.' })),
  }));
  server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) => {
    const prompt = prompts[params.name];
    if (prompt === undefined) throw new sdk.ProtocolError(-32_602, 'Unknown prompt.');
    return prompt(params.arguments ?? {}, askedOf(mcpReq)) as never;
  });
  server.setRequestHandler('resources/list', () => ({
    resources: [TEXT, BINARY].map((each) => ({
      ...each,
      name: each.uri,
      description: 'A fixture.',
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const found = readFixture(uri);
    if (found === undefined) throw new sdk.ProtocolError(-32_602, 'No such resource.', { uri });
    return { contents: [found] } as never;
  });
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park'], total: 2, hasMore: false },
  }));
  return server;
}
