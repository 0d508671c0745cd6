import { homeTexts } from '../../../views/texts/home.js'

/** How to connect one assistant; `code` can be copied. */
interface AssistantSteps {
  name: string
  steps: { text: string; code: string | null }[]
}

/** Steps for the common assistants, with the address filled in. */
export function assistantSteps(brand: string, url: string): AssistantSteps[] {
  const m = homeTexts.assistants
  const cursor = JSON.stringify({ mcpServers: { [brand]: { url } } }, null, 2)
  const vscode = JSON.stringify({ name: brand, type: 'http', url })
  return [
    { name: m.claude, steps: withCode(m.claudeSteps) },
    { name: m.chatgpt, steps: withCode(m.chatgptSteps) },
    {
      name: m.claudeCode,
      steps: withCode(m.claudeCodeSteps, `claude mcp add --transport http ${brand} ${url}`),
    },
    { name: m.cursor, steps: withCode(m.cursorSteps, cursor) },
    { name: m.vscode, steps: withCode(m.vscodeSteps, `code --add-mcp '${vscode}'`) },
  ]
}

/** The code belongs to the first step. */
const withCode = (steps: readonly string[], code: string | null = null) =>
  steps.map((text, i) => ({ text, code: i === 0 ? code : null }))
