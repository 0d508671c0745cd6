// A process that never answers.
process.on('message', () => {})
