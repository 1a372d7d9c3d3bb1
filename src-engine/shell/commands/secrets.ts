/** `secrets list|set|bind|rename|remove|check`: what the vault keeps. Values come from the input, never from arguments. */

import { secretBytesMax } from '../../model/limits.ts'
import type { SecretChange, SecretEntry, SecretKind, VaultState } from '../../model/secret.ts'
import { keyProviders, secretKinds } from '../../model/secret.ts'
import { processInput, readHidden } from '../hidden-input.ts'
import type { Session } from '../session.ts'
import { instantText } from '../terminal.ts'
import { actionOf } from './action.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { checkSecrets } from './secrets-check.ts'
import { withSession } from './with-session.ts'

/** More than anybody types. */
const passphraseCharsMax = 4_096

type Act = (context: CommandContext, session: Session, names: readonly string[]) => Promise<ExitCode>

const actions: Readonly<Record<string, { readonly args: number; readonly act: Act }>> = {
  list: { args: 0, act: (context, session) => list(context, session) },
  set: { args: 1, act: set },
  bind: { args: 1, act: bind },
  rename: { args: 2, act: rename },
  remove: { args: 1, act: remove },
  protect: { args: 1, act: protect },
  check: { args: 0, act: (context, session) => checkSecrets(context, session) },
}

export const secretsCommand: Command = {
  usage: 'secrets list | set NAME | bind NAME | rename NAME NEW | remove NAME | protect KEY | check',
  summary: 'Keep passwords and keys in the vault; steps name them as {{ secrets.NAME }}.',
  options: {
    kind: { type: 'string' },
    note: { type: 'string' },
    hosts: { type: 'string' },
    kinds: { type: 'string' },
    nodes: { type: 'string' },
  },
  optionHelp: [
    ['set', 'add a secret or replace its value, which is piped in or asked for'],
    ['bind', 'change what it is bound to, its kind or its note, and keep the value'],
    ['protect', `protect the vault by another key: ${keyProviders.join(', ')}`],
    ['check', 'whether every value can be read, and whether workflows name what isn’t there'],
    ['--kind KIND', secretKinds.join(', ')],
    ['--note TEXT', 'what it is for'],
    ['--hosts A,B|any', 'where requests may carry it: api.example.com, api.example.com:8443, *.example.com'],
    ['--kinds A,B|any', 'the kinds of steps that may use it: http-request, shell-command'],
    ['--nodes A,B|any', 'the workflows or steps that may use it: orders, orders/charge'],
  ],
  positionals: { min: 1, max: 3 },
  run: (context) => {
    const [word = '', ...names] = context.positionals
    if (word === 'set' && names.length > 1) {
      throw usageError(
        'A value on the command line can be seen by everybody on this machine.',
        'Pipe it in: sagasmith secrets set NAME < FILE, or let it be asked for.',
      )
    }
    const { action, args } = actionOf(secretsCommand.usage, actions, context.positionals)
    return withSession(context, 'look', (session) => action.act(context, session, args))
  },
}

async function list(context: CommandContext, session: Session): Promise<ExitCode> {
  const { vault, secrets } = await session.call('secrets.list', {})
  const { json, emit, terminal } = context
  if (json) emit({ type: 'vault', ...vault })
  for (const secret of secrets) show(context, secret)
  if (json) return 0
  if (secrets.length === 0 && vault.problem === null) {
    terminal.line('The vault is empty. Add a secret with `sagasmith secrets set NAME`.')
  }
  if (vault.problem !== null) sayProblem(context, vault.problem)
  return 0
}

async function set(context: CommandContext, session: Session, names: readonly string[]): Promise<ExitCode> {
  const [name = ''] = names
  const change = changeOf(context, name)
  await unlocked(session)
  const value = await readHidden(`Value of ${name}: `, secretBytesMax)
  const { secret } = await session.call('secrets.set', { ...change, value })
  show(context, secret)
  return 0
}

async function bind(context: CommandContext, session: Session, names: readonly string[]): Promise<ExitCode> {
  const change = changeOf(context, names[0] ?? '')
  if (Object.keys(change).length === 1) {
    throw usageError('There is nothing to change.', 'Give --hosts, --kinds, --nodes, --kind or --note.')
  }
  await unlocked(session)
  const { secret } = await session.call('secrets.set', change)
  show(context, secret)
  return 0
}

async function rename(
  context: CommandContext,
  session: Session,
  [from = '', to = '']: readonly string[],
): Promise<ExitCode> {
  await unlocked(session)
  const { secret } = await session.call('secrets.rename', { from, to })
  show(context, secret)
  if (!context.json) context.terminal.line(`Workflows that name ${from} don’t find it any more.`)
  return 0
}

async function remove(
  { json, emit, terminal }: CommandContext,
  session: Session,
  [name = '']: readonly string[],
): Promise<ExitCode> {
  await session.call('secrets.remove', { name })
  if (json) emit({ type: 'secret-removed', name })
  else terminal.line(`${name} is removed.`)
  return 0
}

async function protect(
  { json, emit, terminal }: CommandContext,
  session: Session,
  [word = '']: readonly string[],
): Promise<ExitCode> {
  const provider = keyProviders.find((known) => known === word)
  if (provider === undefined) {
    throw usageError(`A vault can’t be protected by “${word}”.`, `Write one of ${keyProviders.join(', ')}.`)
  }
  await unlocked(session)
  const passphrase = provider === 'passphrase' ? await newPassphrase() : null
  const { vault } = await session.call('secrets.protect', { provider, passphrase })
  if (json) emit({ type: 'vault', ...vault })
  else terminal.line(`The vault is protected by: ${vault.provider}.`)
  return 0
}

/** Typed twice: nobody sees what they write. */
async function newPassphrase(): Promise<string> {
  const passphrase = await readHidden('New passphrase of the vault: ', passphraseCharsMax)
  if (processInput().source.isTTY !== true) return passphrase
  if ((await readHidden('Once more: ', passphraseCharsMax)) === passphrase) return passphrase
  throw usageError('The two differ.', 'Try again; nothing was changed.')
}

/** A vault with a passphrase is opened by whoever sits at the terminal. */
async function unlocked(session: Session): Promise<VaultState> {
  const { vault } = await session.call('secrets.list', {})
  const asksForIt = vault.status === 'locked' && vault.provider === 'passphrase'
  if (!asksForIt || processInput().source.isTTY !== true) return vault
  const passphrase = await readHidden('Passphrase of the vault: ', passphraseCharsMax)
  return (await session.call('secrets.unlock', { passphrase })).vault
}

function changeOf({ flags }: CommandContext, name: string): SecretChange {
  const { kind, note, hosts, kinds, nodes } = flags
  return {
    name,
    ...(kind === undefined ? {} : { kind: kindOf(kind) }),
    ...(typeof note === 'string' ? { note } : {}),
    ...(typeof hosts === 'string' ? { hosts: listOf(hosts) } : {}),
    ...(typeof kinds === 'string' ? { kinds: listOf(kinds) } : {}),
    ...(typeof nodes === 'string' ? { nodes: listOf(nodes) } : {}),
  }
}

function kindOf(word: unknown): SecretKind {
  const kind = secretKinds.find((known) => known === word)
  if (kind !== undefined) return kind
  throw usageError(`“${String(word)}” is no kind of secret.`, `Kinds are: ${secretKinds.join(', ')}.`)
}

const listOf = (text: string): readonly string[] | null =>
  text === 'any'
    ? null
    : text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')

function show({ json, emit, terminal }: CommandContext, secret: SecretEntry): void {
  if (json) {
    emit({ type: 'secret', ...secret })
    return
  }
  const { name, kind, note, changedAt, lastUsedAt, hosts, kinds, nodes } = secret
  const bound = (what: string, list: readonly string[] | null): readonly string[] =>
    list === null ? [] : [`${what} ${list.length === 0 ? 'nowhere' : list.join(', ')}`]
  const facts = [
    kind,
    `changed ${instantText(changedAt)}`,
    lastUsedAt === null ? 'never used' : `used ${instantText(lastUsedAt)}`,
    ...bound('to', hosts),
    ...bound('by', kinds),
    ...bound('in', nodes),
  ]
  const words = note === '' ? '' : `  ${note}`
  terminal.line(`${name}  ${terminal.colors.dim(facts.join(', '))}${words}`)
}

function sayProblem(
  { terminal }: CommandContext,
  { message, hint }: { message: string; hint: string },
): void {
  terminal.errorLine(terminal.colors.yellow(message))
  terminal.errorLine(hint)
}
