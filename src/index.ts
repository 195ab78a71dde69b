// What an embedding program may import.

import './node.ts';

export type { Api, Handlers, Input, Output } from './contract/api.ts';
export { Failure } from './contract/failure.ts';
export { Memory, Summary } from './contract/memory.ts';
export { routes } from './contract/routes.ts';
export { createGateway, type Gateway, type GatewayOptions } from './gateway/gateway.ts';
export type { Listener } from './gateway/listener.ts';
export type { Log } from './gateway/log.ts';
export { createServer, stopServer } from './gateway/server.ts';
export { Refusal } from './store/refusal.ts';
export { openStore } from './store/sqlite.ts';
export type { Store } from './store/store.ts';
