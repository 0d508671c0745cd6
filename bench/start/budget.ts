/** What the service may take on the machine of the figures in docs/benchmarks.md. */
export const BUDGET = { startMs: 400, idleMb: 110 }

/** The measured number and its budget, as in a table. */
export const beside = (measured: number, budget: number): string =>
  `${measured} (${measured < budget ? 'budget' : '**over** its budget of'} ${budget})`
