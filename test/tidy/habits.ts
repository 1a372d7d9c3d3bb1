/** Smaller rules about single files: names, exports, and escapes from the type checker or the test runner. */
import { posix } from 'node:path'
import { endToEndFolders, projects } from '../projects.ts'
import type { Finding, SourceFile, SyntaxNode } from './source-file.ts'

const bucketName = /^(utils?|helpers?|common|misc|types|shared|lib)\.[a-z.]+$/
const readsDefaultExport =
  /(^electron\.vite\.config|\/(vitest|playwright)\.config)\.ts$|^test\/engine\/sdk\/examples\/make-a-task\.ts$/

/** Files named after nothing in particular. */
export function checkNames(paths: readonly string[]): readonly Finding[] {
  return paths.flatMap((path) => {
    const base = posix.basename(path)
    const findings: string[] = []
    if (bucketName.test(base)) findings.push(`${base} is a bucket: name the file after the one idea in it`)
    const isComponent = path.endsWith('.tsx') && /^[A-Z][A-Za-z0-9]*(\.[a-z]+)*\.tsx$/.test(base)
    if (!isComponent && !/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(base)) {
      findings.push(`${base}: files are kebab-case, components (.tsx) PascalCase`)
    }
    return findings.map((message) => ({ rule: 'names', path, line: 1, message }))
  })
}

/** Default exports outside the configuration files whose tools read one. */
export function checkDefaultExports(files: readonly SourceFile[]): readonly Finding[] {
  return files
    .filter(({ path }) => !readsDefaultExport.test(path))
    .flatMap((file) =>
      file.nodes
        .filter(({ node }) => node.type === 'ExportDefaultDeclaration')
        .map(({ node }) => ({
          rule: 'default-exports',
          path: file.path,
          line: file.lineAt(node.start),
          message: 'a default export has another name wherever it is imported: export by name',
        })),
    )
}

/** `any`, and comments that silence the type checker. */
export function checkTypeEscapes(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) => {
    const anys = file.nodes
      .filter(({ node }) => node.type === 'TSAnyKeyword')
      .map(({ node }) => ({
        line: file.lineAt(node.start),
        message: 'any switches checking off: use unknown and narrow it',
      }))
    const silenced = file.comments
      .filter(({ text }) => /@ts-(ignore|nocheck|expect-error)\b/.test(text))
      .map(({ line }) => ({ line, message: 'silencing the type checker is not allowed: say the type' }))
    return [...anys, ...silenced].map((finding) => ({ rule: 'type-escapes', path: file.path, ...finding }))
  })
}

function calleeText(node: SyntaxNode, file: SourceFile): string {
  const callee = node['callee'] as SyntaxNode
  return file.text.slice(callee.start, callee.end)
}

/** Tests that don't run, or that keep the others from running. */
export function checkSkippedTests(files: readonly SourceFile[]): readonly Finding[] {
  return files
    .filter(({ path }) => path.startsWith('test/'))
    .flatMap((file) =>
      file.nodes
        .filter(({ node }) => node.type === 'CallExpression')
        .filter(({ node }) =>
          /^(test|it|describe)(\.\w+)*\.(skip|skipIf|only|todo|fixme)\b/.test(calleeText(node, file)),
        )
        .map(({ node }) => ({
          rule: 'skipped-tests',
          path: file.path,
          line: file.lineAt(node.start),
          message: `${calleeText(node, file)}: every test runs, always; mend it or delete it`,
        })),
    )
}

/**
 * Hooks at the top of a file that tests import. Files of one worker share it: it is evaluated for the first of them, its
 * hooks are that file's alone, and what the others open stays open.
 */
export function checkSharedHooks(files: readonly SourceFile[]): readonly Finding[] {
  return files
    .filter(({ path }) => path.startsWith('test/') && !/\.(test|e2e)\.tsx?$/.test(path))
    .flatMap((file) =>
      file.nodes
        .filter(({ node, parent }) => node.type === 'ExpressionStatement' && parent?.type === 'Program')
        .map(({ node }) => node['expression'] as SyntaxNode)
        .filter((called) => called.type === 'CallExpression')
        .filter((called) => /^(test\.)?(before|after)(Each|All)$/.test(calleeText(called, file)))
        .map((called) => ({
          rule: 'shared-hooks',
          path: file.path,
          line: file.lineAt(called.start),
          message: `${calleeText(called, file)}: only the first file that imports this gets it; use onTestFinished where it is opened`,
        })),
    )
}

/** Test files in a folder that no runner looks into. */
export function checkTestPlaces(paths: readonly string[]): readonly Finding[] {
  const vitestFolders = projects.flatMap(({ folders }) => folders)
  return paths.flatMap((path) => {
    const isEndToEnd = path.endsWith('.e2e.ts')
    if (!isEndToEnd && !/\.(test|spec)\.tsx?$/.test(path)) return []
    const folders = isEndToEnd ? endToEndFolders : vitestFolders
    const runs = !/\.spec\./.test(path) && folders.some((folder) => path.startsWith(`${folder}/`))
    const message = `never runs: put *.test.ts below ${vitestFolders.join(', ')}, *.e2e.ts below ${endToEndFolders.join(', ')}`
    return runs ? [] : [{ rule: 'test-places', path, line: 1, message }]
  })
}
