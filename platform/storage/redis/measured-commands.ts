import type { Command } from 'ioredis'
import { storeCalls } from '../../common/events.js'
import type { RedisClient } from './client.js'

/**
 * Publishes the duration of each command. Not through the diagnostics channels of ioredis, which copy the arguments
 * of each command.
 */
export function measureCommands(redis: RedisClient): void {
  const send: (command: Command, ...rest: never[]) => unknown = redis.sendCommand.bind(redis)
  redis.sendCommand = (command: Command, ...rest: never[]) => {
    if (!storeCalls.isObserved) return send(command, ...rest)
    const began = performance.now()
    const publish = (isFailed: boolean) => {
      const ms = performance.now() - began
      storeCalls.publish({ store: 'redis', operation: command.name, ms, isFailed })
    }
    command.promise.then(
      () => publish(false),
      () => publish(true),
    )
    return send(command, ...rest)
  }
}
