// The parts of oidc-provider that connectors use. In the program they are a file of their own, loaded on demand.

export { errors, interactionPolicy, Provider } from 'oidc-provider';
