// A process that dies of what it is asked.
process.on('message', () => process.exit(1))
