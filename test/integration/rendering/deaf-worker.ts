// A process that dies of certain requests.
process.on('message', () => process.exit(1))
