/** Pictures that carry their workflow: what comes back, and what hostile ones get. */

import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalDocument } from '../../../src-engine/model/canonical-document.ts'
import { drawSvg } from '../../../src-engine/model/picture/draw-svg.ts'
import { withPngText } from '../../../src-engine/model/picture/png-document.ts'
import { workflowInFile } from '../../../src-engine/model/picture/workflow-in-file.ts'
import { readDocument } from '../../../src-engine/model/read-document.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { exportedWorkflow } from '../../../src-engine/shell/exchange/export-workflow.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { anyDocument } from '../../support/any-document.ts'

const sample = new URL('../../../resources/samples/order-saga.json', import.meta.url)
const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8')

function sampleDocument(): WorkflowDocument {
  const read = readDocument(readFileSync(sample, 'utf8'))
  if (!read.ok) throw read.error
  return read.value.document
}

function found(bytes: Uint8Array): string {
  const { read } = workflowInFile(bytes, decode)
  if (!read.ok) throw read.error
  return canonicalDocument(read.value.document)
}

const refusalOf = (bytes: Uint8Array) => {
  const { read } = workflowInFile(bytes, decode)
  return read.ok ? null : read.error
}

const svgOf = (document: WorkflowDocument, theme: 'light' | 'dark' = 'light') =>
  drawSvg(document, { specs: taskSpecsByKind, theme })

describe('an SVG', () => {
  test('gives the same document back, whatever is in it', () => {
    fc.assert(
      fc.property(anyDocument, fc.constantFrom('light' as const, 'dark' as const), (document, theme) => {
        const svg = svgOf(document, theme)
        expect(found(bytesOf(svg))).toBe(canonicalDocument(document))
        expect(svgOf(document, theme)).toBe(svg)
      }),
      { numRuns: 150 },
    )
  })

  test('is XML without anything that runs, loads or names a place elsewhere', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const svg = svgOf(document)
        const tags = [...svg.matchAll(/<\/?([^\s>/]+)/g)].map(([, tag]) => tag)
        const known = [
          'svg',
          'title',
          'metadata',
          'defs',
          'pattern',
          'circle',
          'rect',
          'g',
          'path',
          'text',
          'ellipse',
        ]
        expect(tags.filter((tag) => ![...known, 'line', 'polyline', 'polygon'].includes(tag ?? ''))).toEqual(
          [],
        )
        expect(svg).not.toMatch(/\s(?:on\w+|href|src|style)=/)
        expect(svg.replaceAll(/[\n\x20-\x7e\u00a0-\ufffd]|[\ud800-\udbff][\udc00-\udfff]/g, '')).toMatch(
          /^[\x7f-\x9f\t\r]*$/,
        )
      }),
      { numRuns: 150 },
    )
  })
})

describe('a PNG', () => {
  let png: Uint8Array
  beforeAll(async () => {
    const made = await exportedWorkflow(sampleDocument(), { format: 'png', theme: 'dark' })
    if (typeof made === 'string') throw new Error('Expected bytes')
    png = made
  })

  test('gives the same document back', () => {
    expect(found(png)).toBe(canonicalDocument(sampleDocument()))
  })

  test('is drawn: it is as large as the canvas, twice as sharp, and not of one color', () => {
    const [width, height] = [Buffer.from(png).readUInt32BE(16), Buffer.from(png).readUInt32BE(20)]
    const [, svgWidth, svgHeight] = /width="(\d+)" height="(\d+)"/.exec(svgOf(sampleDocument())) ?? []
    expect([width, height]).toEqual([Number(svgWidth) * 2, Number(svgHeight) * 2])
    expect(png.length).toBeGreaterThan(20_000)
  })

  test('that was cut off, damaged or emptied is refused', () => {
    for (const length of [4, 8, 20, 60, 400, 2_000]) {
      expect(refusalOf(png.subarray(0, length))?.code, String(length)).toMatch(
        /^(picture_unreadable|document_invalid)$/,
      )
    }
    const damaged = Uint8Array.from(png)
    damaged[200] = (damaged[200] ?? 0) ^ 1
    expect(refusalOf(damaged)?.message).toBe('The picture can’t be read: the workflow in it was damaged.')
    const bare = Buffer.concat([png.subarray(0, 33), Buffer.from('0000000049454e44ae426082', 'hex')])
    expect(refusalOf(bare)).toMatchObject({
      code: 'picture_unreadable',
      message: 'There is no workflow in the picture.',
    })
  })

  test('with a compressed text, which may be a bomb, is refused unopened', () => {
    const bomb = deflateSync(Buffer.alloc(50_000_000, 32))
    const whole = Buffer.from(withPngText(png.subarray(0, 45), 'x'))
    const name = whole.indexOf('sagasmith.workflow')
    whole[name + 'sagasmith.workflow'.length + 1] = 1
    expect(refusalOf(Buffer.concat([whole, bomb]))?.message).toMatch(/compressed|damaged|cut off/)
  })

  test('with chunks that claim to be longer than the file ends at once', () => {
    const lying = Buffer.from(png)
    lying.writeUInt32BE(0xffffffff, 33)
    expect(refusalOf(lying)?.message).toContain('it is cut off')
  })
})

test('other pictures, and pictures whose workflow is hostile, are refused like any such file', () => {
  expect(refusalOf(Buffer.from('ffd8ffe000104a464946', 'hex'))?.message).toContain('only PNG and SVG')
  expect(
    refusalOf(bytesOf('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'))?.code,
  ).toBe('picture_unreadable')
  const svg = svgOf(sampleDocument())
  const inject = (text: string) =>
    bytesOf(svg.replace(/(<metadata[^>]*>)[\s\S]*(<\/metadata>)/, `$1${text}$2`))
  expect(refusalOf(inject('{"__proto__":{"a":1}}'))?.code).toBe('document_invalid')
  expect(refusalOf(inject('['.repeat(100_000)))?.code).toBe('document_unreadable')
  expect(refusalOf(inject('<x/>'))?.message).toContain('damaged')
  expect(refusalOf(inject('&lt;!DOCTYPE lol [&lt;!ENTITY a "b"&gt;]&gt;&a;'))?.code).toBe(
    'document_unreadable',
  )
})

test.for([
  ['', 'There is nothing in it.'],
  [' \n', 'There is nothing in it.'],
  ['Dear all,', 'There is no workflow in this text.'],
  ['export const answer = 42', 'There is no workflow in this text.'],
  ['[1, 2]', 'This is not a workflow file: it has no "format": "sagasmith.workflow".'],
])('of %j is said that it is no workflow, not what code it lacks', ([text = '', message]) => {
  expect(refusalOf(bytesOf(text))).toMatchObject({ code: 'document_invalid', message })
})

test('code that defines a workflow wrongly is told its place', () => {
  for (const code of ['export default defineWorkflow(7)', '// Mine.\nexport default make()'])
    expect(refusalOf(bytesOf(code))?.code).toBe('code_unreadable')
})
