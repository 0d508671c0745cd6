// Loaded into the service (`node --import`): a machine, or a container, of 512 MB.
process.constrainedMemory = () => 512 * 1024 ** 2
