/** `trust keys …` and `trust key create`: whose signatures are believed, and a key to sign with. */

import { keyNamePattern, publicKeyPattern } from '../../model/trust.ts'
import type { TrustedKey } from '../trust-list.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { signingKeys, trustListFile } from './trust-files.ts'

/** `trust keys list|add NAME KEY|remove NAME`. */
export async function trustKeysAction(
  context: CommandContext,
  [word = '', name = '', key = '']: readonly string[],
): Promise<ExitCode> {
  const file = trustListFile(context)
  if (word === 'list' && name === '') {
    const { keys } = await file.read()
    for (const item of keys) show(context, item)
    if (!context.json && keys.length === 0) context.terminal.line('No key is trusted.')
    return 0
  }
  if (word === 'add' && key !== '') {
    const added = { name: checkedName(name), key: checkedKey(key) }
    await file.change((book) => ({
      ...book,
      keys: [...book.keys.filter((item) => item.name !== name && item.key !== key), added],
    }))
    show(context, added)
    return 0
  }
  if (word === 'remove' && name !== '' && key === '') return remove(context, name)
  throw usageError(
    `That is no use of “trust keys ${word}”.`,
    'Usage: sagasmith trust keys list | add NAME KEY | remove NAME',
  )
}

async function remove(context: CommandContext, name: string): Promise<ExitCode> {
  await trustListFile(context).change((book) => {
    if (!book.keys.some((item) => item.name === name)) {
      throw usageError(`No key “${name}” is trusted.`, 'See `sagasmith trust keys list`.')
    }
    return { ...book, keys: book.keys.filter((item) => item.name !== name) }
  })
  if (context.json) context.emit({ type: 'trust.key-removed', name })
  else context.terminal.line(`${name} is trusted no more.`)
  return 0
}

/** `trust key create NAME`. */
export async function trustKeyAction(
  context: CommandContext,
  [word = '', name = '', more]: readonly string[],
): Promise<ExitCode> {
  if (word !== 'create' || name === '' || more !== undefined) {
    throw usageError(`That is no use of “trust key ${word}”.`, 'Usage: sagasmith trust key create NAME')
  }
  const { publicKey, path } = await signingKeys(context).create(name)
  if (context.json) context.emit({ type: 'trust.key-created', name, key: publicKey, path })
  else {
    context.terminal.line(`The private key is in ${path}. Keep it to yourself.`)
    context.terminal.line(`On each runner: sagasmith trust keys add ${name} ${publicKey}`)
  }
  return 0
}

function show({ json, emit, terminal }: CommandContext, { name, key }: TrustedKey): void {
  if (json) emit({ type: 'trust.key', name, key })
  else terminal.line(`${name}  ${key}`)
}

function checkedName(name: string): string {
  if (keyNamePattern.test(name)) return name
  throw usageError(`“${name}” is no name of a key.`, 'Use letters, digits, dots, dashes and underscores.')
}

function checkedKey(key: string): string {
  if (publicKeyPattern.test(key)) return key
  throw usageError(
    'That is no public key.',
    'It begins with ed25519: and comes from `sagasmith trust key create`.',
  )
}
