/** `trust`: which definitions the runners of this data directory execute. Nothing of it is in the store. */

import type { DefinitionHash } from '../../model/ids.ts'
import { definitionHash } from '../../model/ids.ts'
import { definitionHashPattern } from '../../model/trust.ts'
import type { TrustBook } from '../trust-list.ts'
import { decided } from '../trust-list.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { trustListFile } from './trust-files.ts'
import { trustKeyAction, trustKeysAction } from './trust-keys.ts'
import { withSession } from './with-session.ts'
import { openWorkflowFile, printProblems } from './workflow-file.ts'

type Act = (context: CommandContext, words: readonly string[]) => Promise<ExitCode>

const actions: Readonly<Record<string, Act>> = {
  list,
  approve: (context, words) => mark(context, words, 'approve'),
  revoke: (context, words) => mark(context, words, 'revoke'),
  keys: trustKeysAction,
  key: trustKeyAction,
}

export const trustCommand: Command = {
  usage:
    'trust list | approve HASH|FILE | revoke HASH|FILE | keys list|add NAME KEY|remove NAME | key create NAME',
  summary: 'Say which definitions the runners of this data directory execute.',
  options: {},
  optionHelp: [
    ['approve', 'execute a definition, with all that it starts: by its hash (w1_…), or as a file has it'],
    ['revoke', 'execute it no more, whoever signed it'],
    ['keys', 'the public keys whose signatures runners with --trust signed believe'],
    ['key create', 'make a key of your own to sign with: sagasmith push FILE --sign NAME'],
    ['--cluster NAME|ADDRESS', 'where a file’s sub-workflows are published (default: the data directory)'],
  ],
  positionals: { min: 1, max: 4 },
  run: (context) => {
    const [word = '', ...words] = context.positionals
    const act = Object.hasOwn(actions, word) ? actions[word] : undefined
    if (act === undefined) throw noUse(word)
    return act(context, words)
  },
}

const noUse = (word: string) =>
  usageError(`That is no use of “trust ${word}”.`, `Usage: sagasmith ${trustCommand.usage}`)

async function list(context: CommandContext, words: readonly string[]): Promise<ExitCode> {
  if (words.length > 0) throw noUse('list')
  const book = await trustListFile(context).read()
  if (context.json) context.emit({ type: 'trust', ...book })
  else for (const line of linesOf(book)) context.terminal.line(line)
  return 0
}

function linesOf({ approved, revoked, keys }: TrustBook): readonly string[] {
  const lines = [
    ...approved.map((hash) => `approved  ${hash}`),
    ...revoked.map((hash) => `revoked   ${hash}`),
    ...keys.map(({ name, key }) => `key       ${name}  ${key}`),
  ]
  return lines.length > 0 ? lines : ['Nothing is approved and no key is trusted.']
}

async function mark(
  context: CommandContext,
  [meant = '', ...others]: readonly string[],
  how: 'approve' | 'revoke',
): Promise<ExitCode> {
  if (meant === '' || others.length > 0) throw noUse(how)
  const hashes = await meantHashes(context, meant)
  if (hashes === null) return 2
  // What a workflow starts may be started by others that are trusted: it is revoked by its own name.
  const marked = how === 'approve' ? hashes : hashes.slice(0, 1)
  await trustListFile(context).change((book) => decided(book, marked, how))
  for (const hash of marked) {
    if (context.json) context.emit({ type: how === 'approve' ? 'trust.approved' : 'trust.revoked', hash })
    else context.terminal.line(`${how === 'approve' ? 'Approved' : 'Revoked'} ${hash}.`)
  }
  return 0
}

/** The definition first, then what it starts; null for a file with errors. */
async function meantHashes(
  context: CommandContext,
  meant: string,
): Promise<readonly DefinitionHash[] | null> {
  if (definitionHashPattern.test(meant)) return [definitionHash(meant)]
  const file = await openWorkflowFile(context, meant)
  printProblems(context, file)
  if (file.hash === null) return null
  return withSession(context, 'look', async (session) => {
    const request = { document: file.json, baseDirectory: file.baseDirectory }
    const { hash, starts } = await session.call('workflows.preview', request)
    return [hash, ...starts]
  })
}
