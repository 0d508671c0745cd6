/** What the service may take on the machine of the figures in the README. */
export const BUDGET = { startMs: 700, idleMb: 110, firstPageS: 60 }

/** The measured number and its budget, as in a table. */
export const beside = (measured: number, budget: number): string =>
  `${measured} (${measured < budget ? 'budget' : '**over** its budget of'} ${budget})`
