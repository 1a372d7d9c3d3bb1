/**
 * How long things may get. An exemption names one file, the larger budget, why, and the day it ends;
 * on that day the test fails again.
 */
import type { Finding, SourceFile, SyntaxNode } from './source-file.ts'

/** Lines of one file. */
export const fileLinesMax = 400
/** Lines of one function, closures included. */
export const functionLinesMax = 70
/** Lines of one React component: mark-up is wide and shallow. */
export const componentLinesMax = 120

/** A file that may be longer for a while. */
export interface Exemption {
  readonly path: string
  readonly fileLinesMax: number
  readonly reason: string
  /** ISO date of the last day it holds. */
  readonly until: string
}

/** Aim at none. */
export const exemptions: readonly Exemption[] = []

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** Files over budget, and exemptions that have ended. */
export function checkFileLength(
  files: readonly SourceFile[],
  allowed: readonly Exemption[],
  today: string,
): readonly Finding[] {
  return files.flatMap((file) => {
    const exemption = allowed.find(({ path, until }) => path === file.path && until >= today)
    const max = exemption?.fileLinesMax ?? fileLinesMax
    if (file.lineCount <= max) return []
    const message = `${file.lineCount} lines, allowed are ${max}: cut it where one idea ends and the next begins`
    return [{ rule: 'file-length', path: file.path, line: max + 1, message }]
  })
}

function nameOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('name' in value)) return null
  return typeof value.name === 'string' ? value.name : null
}

/** A function's name: its own, or that of the variable or property it is given to. */
function functionName(node: SyntaxNode, parent: SyntaxNode | null): string {
  return nameOf(node['id']) ?? nameOf(parent?.['id']) ?? nameOf(parent?.['key']) ?? 'a function'
}

const isSyntax = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value

/** A schema that is made when somebody asks for it: data as it would be without that, and no steps to name. */
function isLateData(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  const body = node['body']
  return nameOf(parent?.['callee']) === 'lazily' && isSyntax(body) && body.type !== 'BlockStatement'
}

/** Functions over budget. Tests are exempt: a `describe` is a chapter, not a function. */
export function checkFunctionLength(files: readonly SourceFile[]): readonly Finding[] {
  return files
    .filter(({ path }) => !path.startsWith('test/'))
    .flatMap((file) =>
      file.nodes.flatMap(({ node, parent }) => {
        if (!functionTypes.has(node.type) || isLateData(node, parent)) return []
        const name = functionName(node, parent)
        const isComponent = file.path.endsWith('.tsx') && /^[A-Z]/.test(name)
        const max = isComponent ? componentLinesMax : functionLinesMax
        const line = file.lineAt(node.start)
        const count = file.lineAt(node.end) - line + 1
        if (count <= max) return []
        const message = `${name} has ${count} lines, allowed are ${max}: give its parts names of their own`
        return [{ rule: 'function-length', path: file.path, line, message }]
      }),
    )
}
