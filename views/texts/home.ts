import { showNumber } from '../../platform/common/format.js'

/** The texts of the home page and of the first steps. */
export const homeTexts = {
  title: 'Home',
  decisions: 'Needs a decision',
  rejected: 'Rejected files',
  dismiss: 'Dismiss',
  safes: 'Safes',
  connectAnother: 'Connect another assistant',
  refused: 'disconnected',
  connectAgain: (client: string) => `Connect ${client} again`,
  start: {
    title: 'First steps',
    heading: 'Share what you know with your assistant',
    lead: 'Three steps, in any order.',
    fill: 'Fill a Safe',
    fillText:
      'A Safe stores your documents, and a graph of the things in them and how they are related. Upload files or a folder, write a note, or explore a small sample first.',
    drop: 'Drop files or a folder here. They become your first Safe.',
    chooseFolder: 'Choose a folder',
    chooseFiles: 'Choose files',
    sample: 'Try the sample Safe',
    newSafe: 'Create a Safe',
    addFile: 'Add a file',
    allSafes: 'All Safes',
    connect: 'Connect an assistant',
    connectText: 'Give your assistant this address. It will send you here to approve the connection.',
    url: 'MCP address',
    copy: 'Copy',
    copied: 'Copied',
    hosted:
      'Claude on the web and ChatGPT connect from their own servers, so they need a public https address (set BASE_URL). Programs on this computer can use this address.',
    safe: 'Safe',
    ask: 'Ask it yourself',
    moreSafes: 'Choose from more Safes',
    firstSafes: 'Choose from the first Safes',
    askText: 'You get the same answer your assistant would get.',
    askEmpty: 'You can ask questions here as soon as a Safe has content.',
  },
  assistants: {
    claude: 'Claude',
    claudeSteps: [
      'Open Settings, then Connectors.',
      'Choose “Add custom connector”, give it a name and paste the address.',
      'Choose Connect, sign in here and approve.',
    ],
    chatgpt: 'ChatGPT',
    chatgptSteps: [
      'Open Settings, then Apps & Connectors, then Advanced settings, and turn on Developer mode.',
      'Back under Apps & Connectors choose Create, paste the address as MCP server URL and pick OAuth.',
      'Choose Create, sign in here and approve. In a chat, switch it on under “+”.',
    ],
    cursor: 'Cursor',
    cursorSteps: [
      'Put this into ~/.cursor/mcp.json (or .cursor/mcp.json in a project):',
      'In Cursor’s settings, under MCP, choose Connect next to the new server and approve here.',
    ],
    vscode: 'VS Code',
    vscodeSteps: [
      'Run this in a terminal:',
      'Start the server from “MCP: List Servers” and approve here when the browser opens.',
    ],
    claudeCode: 'Claude Code',
    claudeCodeSteps: [
      'Run this in a terminal:',
      'In Claude Code type /mcp, choose the server and Authenticate, and approve here.',
    ],
  },
  recent: {
    title: 'Recent',
    all: 'All activity',
    read: (who: string) => `${who} read`,
    overview: (who: string) => `${who} viewed the overview`,
    nothing: (who: string) => `${who} found nothing`,
    more: (count: number) => `and ${showNumber(count)} more`,
    added: (source: string, count: string) => `${source} added (+${count})`,
    ages: {
      now: 'just now',
      minutes: (count: number) => `${count} min ago`,
      hours: (count: number) => `${count} h ago`,
      days: (count: number) => (count === 1 ? '1 day ago' : `${count} days ago`),
    },
    /** An assistant of somebody else. */
    of: (assistant: string, email: string) => `${assistant} (${email})`,
  },
}
