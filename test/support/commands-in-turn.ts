/**
 * The program of a process that runs command lines one after the other, each by the command line's own bundle as it is:
 * `node commands-in-turn.ts BUNDLE MS`, and then a message with the words of each and what it finds in its environment.
 * Once a command has ended, the process answers with its exit code, and with what it left behind that would have kept a
 * process of its own alive: it has the milliseconds to let go of it.
 */

import { setTimeout as after } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

/** A command. */
export interface CommandGiven {
  readonly words: readonly string[]
  /** Variables of its environment, beside those of the process. */
  readonly environment: Readonly<Record<string, string>>
}

/** How a command ended. */
export interface CommandEnd {
  readonly code: number
  /** Kinds of timers, servers, sockets and files that are there since it ran; nothing for one that ended well. */
  readonly left: readonly string[]
}

const lookEveryMs = 5

const [, , bundle = '', closingMs = ''] = process.argv
let count = 0

process.on('message', (given: CommandGiven) => void run(given).then((end) => process.send?.(end)))
// Nobody would end it any more: what a test's worker has started goes with it, however it ends.
process.on('disconnect', () => process.exit(1))
// Made at their first use, they would be taken for something that was left behind.
const streams = [process.stdout, process.stderr]

async function run({ words, environment }: CommandGiven): Promise<CommandEnd> {
  process.argv = [process.execPath, bundle, ...words]
  process.exitCode = 0
  const takeBack = added(environment)
  const before = process.getActiveResourcesInfo()
  count += 1
  // Another address is another module for Node: it runs anew, while what it imports is there already.
  await import(`${pathToFileURL(bundle).href}?${count}`)
  // They go with the process of a command that has one.
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
  for (const stream of streams) stream.removeAllListeners('error')
  takeBack()
  return { code: process.exitCode, left: await leftSince(before) }
}

/** Adds variables to the environment; gives the way to have it as it was. */
function added(environment: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, environment)
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = value
    }
  }
}

async function leftSince(before: readonly string[]): Promise<readonly string[]> {
  for (let waitedMs = 0; ; waitedMs += lookEveryMs) {
    const left = without(process.getActiveResourcesInfo(), before)
    if (left.length === 0 || waitedMs >= Number(closingMs)) return left
    await after(lookEveryMs)
  }
}

/** What is in a list more often than in another one. */
function without(list: readonly string[], others: readonly string[]): readonly string[] {
  const rest = [...others]
  return list.filter((kind) => {
    const at = rest.indexOf(kind)
    if (at !== -1) rest.splice(at, 1)
    return at === -1
  })
}
