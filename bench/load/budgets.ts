/** What a subject should reach: its rate × that of the reference and of the rival, and its processor time in µs. */
export interface Budget {
  reference?: number
  rival?: number
  cpu?: number
}

export const BUDGETS: Record<string, Budget> = {
  'redis: ping': { reference: 0.55, rival: 5 },
  'redis: tools/list': { reference: 0.55, rival: 5 },
  'redis: tools/call': { rival: 5 },
  'redis: svc_list_safes': { reference: 0.4 },
  'redis: a question, 10 at once': { reference: 0.15, cpu: 350 },
  'redis: refresh rotation': { reference: 0.6, rival: 3.5 },
}
