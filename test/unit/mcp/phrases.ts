/** Phrases of people who want something from their notes. */
export const PHRASES = `search my notes
find a document about the harbour
look up a person in my knowledge base
read the file about the boat
what do my notes say about the lamp
search memory
who works on this project
find projects
list people
look something up in my vault
open my library
find files
read a note
knowledge search
remember what I stored
search documents
find my notes
what is in my library
ask my vault
read documents`.split('\n')

/** Tools of other servers that are often offered beside ours, with their usual descriptions. */
export const OTHERS: [name: string, description: string][] = [
  ['read_text_file', 'Read the complete contents of a file from the file system as text.'],
  ['list_directory', 'Get a detailed listing of all files and directories in a specified path.'],
  ['search_repositories', 'Search for repositories on the code hosting site.'],
  ['create_issue', 'Create a new issue in a repository.'],
  ['send_message', 'Send a message to a channel.'],
  ['browser_navigate', 'Navigate to a URL.'],
  ['run_query', 'Run a read-only SQL query against the database.'],
  ['get_weather', 'Get the weather forecast for a place.'],
]
