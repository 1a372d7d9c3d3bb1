/** Commands as they go out. */

import { Command } from 'ioredis'

/** A command: its name and what follows. */
export type RedisCommand = readonly [name: string, ...args: readonly (string | number | Buffer)[]]

/** The command for the library, whose answers are texts, or bytes for null. */
export function libraryCommand(command: RedisCommand, encoding: 'utf8' | null): Command {
  if (command.every((each) => typeof each !== 'object')) return new WireCommand(command, encoding)
  const [name, ...args] = command
  // Bytes among them are the library's to write.
  return new Command(name, args as string[], { replyEncoding: encoding })
}

type Texts = readonly (string | number)[]

/** The library copies, checks and measures each argument by itself; a script of a busy store has hundreds of them. */
class WireCommand extends Command {
  readonly #text: string

  constructor(command: Texts, encoding: 'utf8' | null) {
    super(String(command[0]), [], { replyEncoding: encoding })
    this.#text = wireText(command)
  }

  override toWritable(): string {
    return this.#text
  }
}

/** What stands before most arguments. */
const heads: readonly string[] = Array.from({ length: 1_024 }, (_, length) => headOf(length))

function headOf(length: number): string {
  return `\r\n$${length}\r\n`
}

/** A command of texts and numbers in the words of the protocol. */
export function wireText(command: Texts): string {
  let text = `*${command.length}`
  for (const each of command) {
    const arg = typeof each === 'string' ? each : String(each)
    text += (heads[arg.length] ?? headOf(arg.length)) + arg
  }
  text += '\r\n'
  // As many bytes as characters: each was measured right.
  if (Buffer.byteLength(text) === text.length) return text
  return `*${command.length}${command.map((each) => headOf(Buffer.byteLength(String(each))) + each).join('')}\r\n`
}
