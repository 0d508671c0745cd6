/** What the three tools are called (SPEC §4.7); the brand word is configuration. */
export interface ToolNames {
  list: string
  select: string
  query: string
}

export function toolNames(brand: string): ToolNames {
  return { list: `${brand}_list_safes`, select: `${brand}_select_safe`, query: brand }
}
