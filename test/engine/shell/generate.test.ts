import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { invocationMachine } from '../../../src-engine/model/invocation-status.ts'
import { runMachine } from '../../../src-engine/model/run-status.ts'
import { settingNames } from '../../../src-engine/shell/config.ts'
import { generatedFiles, staleFiles, writeGeneratedFiles } from '../../../src-engine/shell/generate.ts'
import { layOutStatuses } from '../../../src-engine/shell/status-layout.ts'
import { renderStatusSvg, renderStatusText } from '../../../src-engine/shell/status-render.ts'

const root = resolve(import.meta.dirname, '../../..')
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

test('the committed files are those of the code (else: node src-engine/shell/generate.ts)', () => {
  expect(generatedFiles()).toHaveLength(8)
  expect(staleFiles(root)).toEqual([])
})

test('a missing and a changed file are both stale until they are written again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sagasmith-generated-'))
  folders.push(folder)
  expect(staleFiles(folder)).toHaveLength(8)
  writeGeneratedFiles(folder)
  expect(staleFiles(folder)).toEqual([])
  writeFileSync(join(folder, 'docs/diagrams/run-status.txt'), 'other')
  expect(staleFiles(folder)).toEqual(['docs/diagrams/run-status.txt'])
})

test('the published schema describes a document and keeps unknown fields', () => {
  const [file] = generatedFiles()
  const schema = JSON.parse(file?.text ?? '') as Record<string, unknown>
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['format', 'schemaVersion', 'id', 'title', 'nodes', 'edges'],
    properties: { format: { const: 'sagasmith.workflow' }, schemaVersion: { const: 1 } },
  })
  expect(schema['additionalProperties']).not.toBe(false)
})

test('the page of settings has each setting with its default [T19]', () => {
  const page = generatedFiles().find(({ path }) => path === 'docs/settings.md')?.text ?? ''
  for (const name of settingNames) expect(page.split(`| \`${name}\` |`)).toHaveLength(2)
  expect(page).toContain('| `claim_ttl` | 300 s |')
  expect(page).toContain('| `heartbeat_interval` | min(claim_ttl / 4, 15 s) |')
})

test.for([invocationMachine, runMachine])(
  'text and picture of the $name show every status, flag and exit',
  (machine) => {
    const text = renderStatusText(machine)
    const svg = renderStatusSvg(machine)
    let exitCount = 0
    for (const status of machine.statuses) {
      expect(text).toContain(`\n${status}`)
      expect(svg).toContain(`>${status}</text>`)
      exitCount += (machine.table.rows as Record<string, { to: readonly unknown[] }>)[status]?.to.length ?? 0
    }
    expect(text.match(/^ {2}→ /gm)).toHaveLength(exitCount)
    expect(svg.match(/<path class="edge [^"]*" d="M[^"]*C/g)).toHaveLength(exitCount)
    expect(svg.match(/b-final/g)?.length).toBeGreaterThanOrEqual(machine.final.size)
  },
)

test('a restricted exit names who may take it', () => {
  expect(renderStatusText(invocationMachine)).toContain('  → OUTPUT_QUARANTINED (only by scan)')
  expect(renderStatusSvg(invocationMachine)).toContain('only operator')
})

test('no two cards overlap and all are inside the picture', () => {
  for (const machine of [invocationMachine, runMachine]) {
    const { cards, width, height } = layOutStatuses(machine)
    for (const [index, a] of cards.entries()) {
      expect(a.x + a.width).toBeLessThan(width)
      expect(a.y + a.height).toBeLessThan(height)
      for (const b of cards.slice(index + 1)) {
        const apart =
          a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
        expect(apart, `${a.status} and ${b.status}`).toBe(true)
      }
    }
  }
})
