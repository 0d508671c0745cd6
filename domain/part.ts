/** A part of a domain, with what it needs. */
export abstract class Part<Dependencies> {
  protected readonly dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.dependencies = dependencies
  }
}
