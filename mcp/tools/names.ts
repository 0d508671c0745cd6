/** The names of the tools (SPEC §4.7). They start with the configured brand. */
export interface ToolNames {
  list: string
  select: string
  query: string
  /** Only on a service with proposals. */
  propose: string
}

/** The names on a service with this brand. */
export function toolNames(brand: string): ToolNames {
  return {
    list: `${brand}_list_safes`,
    select: `${brand}_select_safe`,
    query: brand,
    propose: `${brand}_propose`,
  }
}
