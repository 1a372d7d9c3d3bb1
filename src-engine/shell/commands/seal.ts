/** `seal`: whether the values of a workspace are sealed, and the keys for that. */

import { resolve } from 'node:path'
import type { SealView } from '../../protocol/sealing.ts'
import { processInput, readHidden } from '../hidden-input.ts'
import type { Session } from '../session.ts'
import { instantText } from '../terminal.ts'
import { actionOf } from './action.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { withSession } from './with-session.ts'

/** More than anybody types. */
const passphraseCharsMax = 4_096

interface Asked {
  readonly context: CommandContext
  readonly session: Session
  /** What follows the word; empty for nothing. */
  readonly name: string
}

type Act = (asked: Asked) => Promise<ExitCode>

const actions: Readonly<Record<string, { readonly args: number; readonly act: Act }>> = {
  list: {
    args: 0,
    act: async ({ context, session }) => show(context, await session.call('seal.state', {})),
  },
  on: { args: 0, act: async ({ context, session }) => show(context, await session.call('seal.begin', {})) },
  rotate: { args: 0, act: rotate },
  export: { args: 1, act: exportKeys },
  import: { args: 1, act: importKeys },
  remove: { args: 1, act: remove },
}

export const sealCommand: Command = {
  usage: 'seal list | on | rotate [--prepare] | export FILE | import FILE | remove KEY --yes',
  summary: 'Seal the values of a workspace, so that its store sees none of them.',
  options: {
    prepare: { type: 'boolean' },
    passphrase: { type: 'boolean' },
    yes: { type: 'boolean' },
  },
  optionHelp: [
    ['on', 'seal all values from now on, with a key in the vault; the workspace remembers it'],
    ['rotate', 'seal new values with another key; old ones are still read with theirs'],
    ['--prepare', 'only make that key: export it to all runners, then rotate'],
    ['export', 'write the keys to a new file, for another machine’s import'],
    ['--passphrase', 'protect that file by a passphrase, which is asked for or piped in'],
    ['remove', 'forget a key here; what it sealed can’t be read here any more'],
    ['--cluster NAME|ADDRESS', 'the workspace of a cluster (default: the data directory)'],
  ],
  positionals: { min: 1, max: 2 },
  run: (context) => {
    const { action, args } = actionOf(sealCommand.usage, actions, context.positionals)
    const [name = ''] = args
    return withSession(context, 'look', (session) => action.act({ context, session, name }))
  },
}

async function rotate({ context, session }: Asked): Promise<ExitCode> {
  const prepare = context.flags['prepare'] === true
  return show(context, await session.call('seal.rotate', { prepare }))
}

async function exportKeys({ context, session, name }: Asked): Promise<ExitCode> {
  const path = resolve(name)
  const passphrase = context.flags['passphrase'] === true ? await newPassphrase() : null
  const { workspace } = await session.call('seal.export', { path, passphrase })
  if (context.json) context.emit({ type: 'seal.exported', workspace, path })
  else {
    context.terminal.line(`The keys of ${workspace} are in ${path}.`)
    const words = passphrase === null ? '' : ' --passphrase'
    context.terminal.line(`On the other machine: sagasmith seal import FILE${words}. Then delete the file.`)
  }
  return 0
}

async function importKeys({ context, session, name }: Asked): Promise<ExitCode> {
  const path = resolve(name)
  const asks = context.flags['passphrase'] === true
  const passphrase = asks ? await readHidden('Passphrase of the file: ', passphraseCharsMax) : null
  const { workspace, keys } = await session.call('seal.import', { path, passphrase })
  if (context.json) context.emit({ type: 'seal.imported', workspace, keys })
  else context.terminal.line(`This machine has the keys of ${workspace}: ${keys.join(', ')}.`)
  return 0
}

async function remove({ context, session, name: key }: Asked): Promise<ExitCode> {
  if (context.flags['yes'] !== true) {
    throw usageError(
      `What the key ${key} sealed can’t be read on this machine without it.`,
      `Repeat it with --yes if that is what you want: sagasmith seal remove ${key} --yes.`,
    )
  }
  return show(context, await session.call('seal.remove', { key }))
}

/** Typed twice: nobody sees what they write. */
async function newPassphrase(): Promise<string> {
  const passphrase = await readHidden('Passphrase for the file: ', passphraseCharsMax)
  if (processInput().source.isTTY !== true) return passphrase
  if ((await readHidden('Once more: ', passphraseCharsMax)) === passphrase) return passphrase
  throw usageError('The two differ.', 'Try again; nothing was written.')
}

function show({ json, emit, terminal }: CommandContext, view: SealView): ExitCode {
  const code = view.problem === null ? 0 : 1
  if (json) {
    emit({ type: 'seal', ...view })
    return code
  }
  const { workspace, key, since, keys, problem } = view
  if (key === null) terminal.line(`${workspace} seals nothing.`)
  else terminal.line(`${workspace} seals with ${key}${since === null ? '' : ` since ${instantText(since)}`}.`)
  const marked = keys.findIndex(({ id }) => id === key)
  for (const [place, { id, createdAt }] of keys.entries()) {
    const words = id === key ? 'seals' : marked !== -1 && place > marked ? 'prepared' : 'reads'
    terminal.line(`  ${id}  ${words.padEnd(8)}  made ${instantText(createdAt)}`)
  }
  if (problem !== null) terminal.errorLine(`${terminal.colors.red(problem.message)} ${problem.hint}`)
  return code
}
