/**
 * What the tidy rules look at: files parsed once, with their imports and a flat walk over their syntax.
 * Rules take these values and nothing else, so that each rule is tested on planted snippets in memory.
 */

import { posix } from 'node:path'
import type { ParserOptions } from 'oxc-parser'
import { parseSync, rawTransferSupported } from 'oxc-parser'

/** A node of the syntax tree; only what every rule needs of it is typed. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** One import or re-export, static or dynamic with a literal argument. */
export interface ImportEdge {
  readonly specifier: string
  /** Path of the imported file from the root; null for packages and Node built-ins. */
  readonly target: string | null
  readonly line: number
}

/** A parsed source file. */
export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly lineCount: number
  readonly imports: readonly ImportEdge[]
  /** Every node with its ancestors, outermost first. */
  readonly nodes: readonly { readonly node: SyntaxNode; readonly parent: SyntaxNode | null }[]
  readonly comments: readonly { readonly text: string; readonly line: number }[]
  readonly lineAt: (offset: number) => number
}

/** Something a rule objects to; `message` says what is allowed instead. */
export interface Finding {
  readonly rule: string
  readonly path: string
  readonly line: number
  readonly message: string
}

const importing = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function walk(root: SyntaxNode): SourceFile['nodes'] {
  const found: { node: SyntaxNode; parent: SyntaxNode | null }[] = []
  const visit = (node: SyntaxNode, parent: SyntaxNode | null): void => {
    found.push({ node, parent })
    // Millions of nodes: no list of children is made for any of them.
    for (const key in node) {
      const value = node[key]
      if (Array.isArray(value)) {
        for (const one of value as readonly unknown[]) if (isNode(one)) visit(one, node)
      } else if (isNode(value)) visit(value, node)
    }
  }
  visit(root, null)
  return found
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}

/** The text of a string literal, else null. */
export function literalText(value: unknown): string | null {
  return isNode(value) && value.type === 'Literal' && typeof value['value'] === 'string'
    ? value['value']
    : null
}

/** The file a relative specifier names, from the root; null for packages. */
export function resolveSpecifier(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null
  return posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ''))
}

/** Where it can be had the tree isn't written as JSON and read again, which is two thirds of the work. */
const parserOptions: ParserOptions & { readonly experimentalRawTransfer: boolean } = {
  experimentalRawTransfer: rawTransferSupported(),
}

/** Parses one file. A syntax error is thrown: the compiler would say the same. */
export function parseSource(path: string, text: string): SourceFile {
  const parsed = parseSync(path, text, parserOptions)
  const problem = parsed.errors[0]
  if (problem !== undefined) throw new Error(`${path} does not parse: ${problem.message}`)
  const nodes = walk(parsed.program as unknown as SyntaxNode)
  const lineAt = lineFinder(text)
  const imports = nodes
    .filter(({ node }) => importing.has(node.type))
    .map(({ node }) => ({ node, specifier: literalText(node['source']) }))
    .filter((edge): edge is { node: SyntaxNode; specifier: string } => edge.specifier !== null)
    .map(({ node, specifier }) => ({
      specifier,
      target: resolveSpecifier(path, specifier),
      line: lineAt(node.start),
    }))
  return {
    path,
    text,
    lineCount: text === '' ? 0 : text.replace(/\n$/, '').split('\n').length,
    imports,
    nodes,
    comments: parsed.comments.map(({ value, start }) => ({ text: value, line: lineAt(start) })),
    lineAt,
  }
}
