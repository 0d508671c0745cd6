// tsx and tap tell the parent process what they load and do. Here that is Stryker, which expects strings only.
const { send } = process
process.send = (message, ...more) => typeof message !== 'string' || send.call(process, message, ...more)

await import('tsx')
