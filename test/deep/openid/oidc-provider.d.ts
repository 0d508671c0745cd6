// The part of oidc-provider that tests and benchmarks use. It is a package of test/deep and bench: types are checked
// without it.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    readonly Grant: {
      new (properties: { accountId: string; clientId: string }): Grant
      find(id: string): Promise<Grant | undefined>
    }
    readonly Client: { find(id: string): Promise<object | undefined> }
    readonly RefreshToken: { new (properties: object): { save(): Promise<string> } }
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }

  interface Grant {
    readonly jti: string
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface Interaction {
    prompt: { name: string }
    params: Record<string, unknown>
  }

  interface Configuration {
    findAccount(
      context: unknown,
      sub: string,
    ): { accountId: string; claims(): Promise<{ sub: string } & Record<string, unknown>> }
    loadExistingGrant?(context: { oidc: Exchange }): Promise<Grant | undefined>
    interactions?: { url(context: unknown, interaction: { uid: string }): string }
    adapter?: AdapterFactory
    [other: string]: unknown
  }

  interface Exchange {
    provider: Provider
    client?: { clientId: string }
    session?: { accountId?: string }
    params?: Record<string, unknown>
    result?: { consent?: { grantId?: string } }
  }

  export type AdapterFactory = (model: string) => Adapter

  export interface AdapterPayload {
    grantId?: string
    consumed?: unknown
    [other: string]: unknown
  }

  export interface Adapter {
    upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void>
    find(id: string): Promise<AdapterPayload | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }
}
