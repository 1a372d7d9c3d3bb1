/** Rules over the graph of imports: no cycle between files, and no file that nothing reaches. */
import { posix } from 'node:path'
import type { Finding, SourceFile } from './source-file.ts'
import { literalText, resolveSpecifier } from './source-file.ts'

/** Cycles of imports, types included: one finding per cycle, at its first file in order of path. */
export function checkCycles(files: readonly SourceFile[]): readonly Finding[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const done = new Set<string>()
  const findings: Finding[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const from = trail.indexOf(path)
    if (from !== -1) {
      const cycle = [...trail.slice(from), path]
      findings.push({
        rule: 'cycles',
        path,
        line: 1,
        message: `imports go in a circle: ${cycle.join(' → ')}; move what both need into a file of its own`,
      })
      return
    }
    if (done.has(path)) return
    for (const { target } of byPath.get(path)?.imports ?? []) {
      if (target !== null && byPath.has(target)) visit(target, [...trail, path])
    }
    done.add(path)
  }
  for (const path of [...byPath.keys()].toSorted()) visit(path, [])
  return findings
}

/** What a file leads to: its imports, and files it names in a string (workers, forked children, URLs). */
function leadsTo(file: SourceFile): readonly string[] {
  const named = file.nodes
    .map(({ node }) => literalText(node))
    .filter((text): text is string => text !== null && /\.(ts|tsx|mjs|js)$/.test(text))
    .flatMap((text) => [
      resolveSpecifier(file.path, text.startsWith('.') ? text : `./${text}`) ?? '',
      posix.normalize(text),
    ])
  return [...file.imports.flatMap(({ target }) => (target === null ? [] : [target])), ...named]
}

/** Source files that no entry reaches. `entries` are globs from the root. */
export function checkDeadFiles(files: readonly SourceFile[], entries: readonly string[]): readonly Finding[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const reached = new Set<string>()
  const waiting = [...byPath.keys()].filter((path) => entries.some((glob) => posix.matchesGlob(path, glob)))
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = byPath.get(path)
    if (file === undefined || reached.has(path)) continue
    reached.add(path)
    waiting.push(...leadsTo(file))
  }
  return files
    .filter(({ path }) => path.startsWith('src-') && !reached.has(path) && !path.endsWith('.d.ts'))
    .map(({ path }) => ({
      rule: 'dead-files',
      path,
      line: 1,
      message: 'no entry of package.json "knip" reaches this file: use it or delete it',
    }))
}
