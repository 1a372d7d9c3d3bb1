/** What a model answered stands for asking it again: with the kind as it ships, on an engine, over a network. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { composeEngine } from '../../src-engine/shell/compose-engine.ts'
import { createDataDirectory, dataDirectory } from '../../src-engine/shell/data-directory.ts'
import { quietLog } from '../../src-engine/shell/quiet-log.ts'
import { documentOf } from '../engine/model/workflow-fixture.ts'
import type { ModelService } from '../engine/tasks/model-service.ts'
import { events, openModelService, piece, usage } from '../engine/tasks/model-service.ts'

let service: ModelService
beforeAll(async () => {
  service = await openModelService()
})
afterAll(() => service.close())

const asking = (cache: JsonObject | null, parameters: JsonObject = {}) =>
  documentOf({
    nodes: {
      ask: {
        kind: 'ask-model',
        parameters: {
          ...{ baseUrl: service.baseUrl, model: 'tiny', prompt: 'What is {{ input.word }}?' },
          ...parameters,
        },
        ...(cache === null ? {} : { cache }),
      },
    },
    edges: {},
    capabilities: { hosts: ['127.0.0.1'] },
  })

async function opened(): Promise<Engine> {
  const root = mkdtempSync(join(tmpdir(), 'sagasmith-model-cache-'))
  const directory = dataDirectory(root)
  createDataDirectory(directory)
  const { engine, close } = await composeEngine({ directory, clock: systemClock, log: quietLog })
  onTestFinished(async () => {
    await close()
    rmSync(root, { recursive: true, force: true })
  })
  await engine.start()
  return engine
}

async function played(engine: Engine, document: ReturnType<typeof asking>, word: string): Promise<RunRecord> {
  const request = { document, input: { word }, requestId: null, baseDirectory: null }
  const { runId } = await engine.startRun(request)
  return engine.waitForRun(runId)
}

const wordsOf = ({ output }: RunRecord): unknown =>
  output?.kind === 'inline' ? (JSON.parse(output.json) as { readonly text?: unknown }).text : null

test('the same question is asked once, another one and one with other settings again', async () => {
  service.asked.length = 0
  service.answer = (response, request) =>
    events(piece(`answer ${service.asked.length}`), piece('', 'stop'), usage, '[DONE]')(response, request)
  const engine = await opened()
  const document = asking({ ttlMs: 60_000 })
  const first = await played(engine, document, 'love')
  expect([first.status, wordsOf(first)]).toEqual(['SUCCEEDED', 'answer 1'])
  const again = await played(engine, document, 'love')
  expect([again.status, wordsOf(again)]).toEqual(['SUCCEEDED', 'answer 1'])
  expect(service.asked).toHaveLength(1)
  const attempts = await engine.attempts(again.id, null)
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['reused'])
  expect(wordsOf(await played(engine, document, 'hate'))).toBe('answer 2')
  expect(wordsOf(await played(engine, asking({ ttlMs: 60_000 }, { temperature: 1 }), 'love'))).toBe(
    'answer 3',
  )
  // Where nothing is said of a cache, every run asks.
  const plain = asking(null)
  expect(wordsOf(await played(engine, plain, 'love'))).toBe('answer 4')
  expect(wordsOf(await played(engine, plain, 'love'))).toBe('answer 5')
})

test('a failed answer stands for nothing', async () => {
  service.asked.length = 0
  service.answer = (response, request) =>
    service.asked.length === 1
      ? void response.writeHead(400).end('no')
      : events(piece('well'), piece('', 'stop'), usage, '[DONE]')(response, request)
  const engine = await opened()
  const document = asking({ ttlMs: 60_000 })
  expect((await played(engine, document, 'love')).status).toBe('FAILED')
  expect(wordsOf(await played(engine, document, 'love'))).toBe('well')
  expect(service.asked).toHaveLength(2)
})
