/**
 * What may be written in the code of a JavaScript step of what it is handed: `input`, `run`, `vars`, `ctx` and all that
 * `ctx` has. Pure; fields of the data itself are found as in expressions (`completion.ts`).
 */

import { isJsonObject } from '../../src-engine/model/json.ts'
import { handedSecret, handedWords } from '../text/handed-words.ts'
import type { CompletionMeans } from './completion.ts'

export interface CodeName {
  readonly label: string
  /** Its type. */
  readonly detail: string
  /** What it is for. */
  readonly info: string
  readonly type: 'variable' | 'property' | 'method'
}

export interface CodeNames {
  /** Where in the line what is replaced begins. */
  readonly from: number
  readonly options: readonly CodeName[]
}

/** A name, or a path of names, at the end of a line; what is a part of another path begins nothing. */
const pathAtEnd = /(?:^|[^\w$.])([A-Za-z_$][\w$]*(?:\??\.[\w$]*)*)$/

/** What fits at the end of a line of code; null where nothing does, or the one that fits stands there already. */
export function codeNamesAt(line: string, secrets: readonly string[]): CodeNames | null {
  const path = pathAtEnd.exec(line)?.[1]?.split(/\??\./)
  if (path === undefined) return null
  const typed = path.at(-1) ?? ''
  const known = namesAt(path.slice(0, -1), secrets)
  const options = known.filter(({ label }) => label.toLowerCase().startsWith(typed.toLowerCase()))
  const isWhole = options.length === 1 && options[0]?.label === typed
  return options.length === 0 || isWhole ? null : { from: line.length - typed.length, options }
}

function namesAt(path: readonly string[], secrets: readonly string[]): readonly CodeName[] {
  if (path.join('.') === 'ctx.secrets') {
    // Others are written in brackets, which no completion after a dot can do.
    const plain = secrets.filter((name) => /^[A-Za-z_$][\w$]*$/.test(name))
    return plain.map((label) => nameOf(label, handedSecret, 'property'))
  }
  const inside = path.reduce<typeof handedWords | undefined>(
    (names, part) => (names !== undefined && Object.hasOwn(names, part) ? names[part]?.inside : undefined),
    handedWords,
  )
  return Object.entries(inside ?? {}).map(([label, said]) =>
    nameOf(label, said, path.length === 0 ? 'variable' : said.type.includes('=>') ? 'method' : 'property'),
  )
}

const nameOf = (
  label: string,
  { type, help }: { readonly type: string; readonly help: string },
  kind: CodeName['type'],
): CodeName => ({ label, detail: type, info: help, type: kind })

/** The names under which a step hands secrets to its code. */
export function secretsHanded({
  document,
  nodeId,
}: Pick<CompletionMeans, 'document' | 'nodeId'>): readonly string[] {
  const secrets = nodeId === null ? null : document().nodes[nodeId as never]?.parameters?.['secrets']
  return isJsonObject(secrets ?? null) ? Object.keys(secrets as object) : []
}
