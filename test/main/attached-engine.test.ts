import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import { createChannelPair } from '../../src-engine/protocol/channel-pair.ts'
import { dataDirectory } from '../../src-engine/shell/data-directory.ts'
import { listenLocal, localSocketPath } from '../../src-engine/shell/local-socket.ts'
import { attachEngine, isHeldElsewhere } from '../../src-main/attached-engine.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = temporaryFolder()

/** A directory whose engine, elsewhere, answers every message in capitals. */
async function setUp(name: string) {
  const directory = join(root, name)
  mkdirSync(directory)
  const server = await listenLocal(localSocketPath(dataDirectory(directory).socket), (channel) => {
    channel.onMessage((text) => channel.send(text.toUpperCase()))
  })
  let lostCount = 0
  const onLost = (): void => {
    lostCount += 1
  }
  return { directory, server, onLost, lostCount: () => lostCount }
}

test('a line is passed on to the engine that holds the directory, both ways', async () => {
  const { directory, server, onLost, lostCount } = await setUp('both-ways')
  const engine = await attachEngine({ directory, onLost }, new SagasmithError('data_directory_in_use'))
  const [page, near] = createChannelPair()
  engine.serve(near)
  const heard: string[] = []
  page.onMessage((text) => void heard.push(text))
  page.send('hello')
  await expect.poll(() => heard).toEqual(['HELLO'])
  await engine.close()
  await server.close()
  expect(lostCount()).toBe(0)
})

test('the end of that engine closes the line and is told', async () => {
  const { directory, server, onLost, lostCount } = await setUp('lost')
  const engine = await attachEngine({ directory, onLost }, null)
  const [page, near] = createChannelPair()
  let closedCount = 0
  page.onClose(() => {
    closedCount += 1
  })
  const heard: string[] = []
  page.onMessage((text) => void heard.push(text))
  engine.serve(near)
  page.send('joined')
  await expect.poll(() => heard).toEqual(['JOINED'])
  await server.close()
  await expect.poll(() => [closedCount, lostCount()]).toEqual([1, 1])
})

test('a page that leaves is no loss', async () => {
  const { directory, server, onLost, lostCount } = await setUp('leaves')
  const engine = await attachEngine({ directory, onLost }, null)
  const [page, near] = createChannelPair()
  const heard: string[] = []
  page.onMessage((text) => void heard.push(text))
  engine.serve(near)
  page.send('joined')
  await expect.poll(() => heard).toEqual(['JOINED'])
  page.close()
  await server.close()
  expect(lostCount()).toBe(0)
})

test('where nobody answers the refusal stays', async () => {
  const directory = join(root, 'nobody')
  mkdirSync(directory)
  const refusal = new SagasmithError('data_directory_in_use')
  await expect(attachEngine({ directory, onLost: () => undefined }, refusal)).rejects.toBe(refusal)
  expect([isHeldElsewhere(refusal), isHeldElsewhere(new SagasmithError('store_corrupt'))]).toEqual([
    true,
    false,
  ])
})
