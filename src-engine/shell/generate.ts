/**
 * Files of the repository that are made from its code: the JSON Schema of documents, the pages of settings and steps, the
 * pictures of the status tables and the drawings of the task icons. `node src-engine/shell/generate.ts` writes them,
 * with `--check` it only compares.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { documentJsonSchema } from '../model/document-json-schema.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import { runMachine } from '../model/run-status.ts'
import { taskIconsModule } from './exchange/task-icons.ts'
import { settingsPage } from './settings-page.ts'
import { renderStatusSvg, renderStatusText } from './status-render.ts'
import { tasksPage } from './tasks-page.ts'

export interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

/** What each generated file has to contain. */
export function generatedFiles(): readonly GeneratedFile[] {
  const schema = `${JSON.stringify(documentJsonSchema(), null, 2)}\n`
  const machines = [
    { name: 'invocation-status', machine: invocationMachine },
    { name: 'run-status', machine: runMachine },
  ]
  const icons = taskIconsModule(resolve(import.meta.dirname, '../..'))
  return [
    { path: 'resources/schema/workflow.schema.json', text: schema },
    { path: 'docs/settings.md', text: settingsPage() },
    { path: 'docs/tasks.md', text: tasksPage() },
    ...machines.flatMap(({ name, machine }) => [
      { path: `docs/diagrams/${name}.svg`, text: renderStatusSvg(machine) },
      { path: `docs/diagrams/${name}.txt`, text: renderStatusText(machine) },
    ]),
    ...(icons === null ? [] : [{ path: 'src-engine/model/picture/task-icons.generated.ts', text: icons }]),
  ]
}

/** The generated files that are missing or differ under a root. */
export function staleFiles(root: string): readonly string[] {
  return generatedFiles()
    .filter(({ path, text }) => textOrNull(resolve(root, path)) !== text)
    .map(({ path }) => path)
}

/** Writes every generated file under a root. */
export function writeGeneratedFiles(root: string): void {
  for (const { path, text } of generatedFiles()) {
    const target = resolve(root, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}

function textOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // A file that isn't there yet is stale like one that differs.
    return null
  }
}

function main(): void {
  const root = resolve(import.meta.dirname, '../..')
  if (!process.argv.includes('--check')) {
    writeGeneratedFiles(root)
    return
  }
  const stale = staleFiles(root)
  if (stale.length === 0) return
  process.stderr.write(`Not up to date: ${stale.join(', ')}\nRun: node src-engine/shell/generate.ts\n`)
  process.exitCode = 1
}

if (import.meta.main) main()
