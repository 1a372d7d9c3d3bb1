/**
 * Where another process (`sagasmith serve`, a long `sagasmith run`) already works on the data directory,
 * the app joins its engine instead of refusing to start: every line is passed on to it.
 */

import { SagasmithError } from '../src-engine/model/errors.ts'
import type { Channel } from '../src-engine/protocol/channel.ts'
import { dataDirectory } from '../src-engine/shell/data-directory.ts'
import { connectLocal, localSocketPath } from '../src-engine/shell/local-socket.ts'
import type { ServableEngine } from './engine-service.ts'

/** Passes messages on between two lines; the end of one ends the other. */
function join(near: Channel, far: Channel): void {
  near.onMessage(far.send)
  far.onMessage(near.send)
  near.onClose(far.close)
}

export interface AttachOptions {
  readonly directory: string
  /** Called once when the other engine is gone: whoever comes next opens the directory itself. */
  readonly onLost: () => void
}

/**
 * The engine that holds the directory, as one of ours. Throws `cause`, the refusal that led here, when
 * nobody answers.
 */
export async function attachEngine(
  { directory, onLost }: AttachOptions,
  cause: unknown,
): Promise<ServableEngine> {
  const socket = localSocketPath(dataDirectory(directory).socket)
  const probe = await connectLocal(socket)
  if (probe === null) throw cause
  probe.close()
  let isClosing = false
  const open = async (near: Channel): Promise<void> => {
    const far = await connectLocal(socket)
    if (far === null) {
      near.close()
      onLost()
      return
    }
    let hasNearEnded = false
    near.onClose(() => {
      hasNearEnded = true
    })
    join(near, far)
    far.onClose(() => {
      // Looked at first: closing the near line counts as its end.
      const isLost = !hasNearEnded && !isClosing
      near.close()
      if (isLost) onLost()
    })
  }
  return {
    serve: (channel) => void open(channel),
    // Whoever holds the directory finds out by its own clocks.
    power: () => {},
    // It serves files of its workspace, and of nobody else's choosing.
    grant: () => {},
    close: async () => {
      isClosing = true
    },
  }
}

/** Whether an engine could not open because another process holds the directory. */
export function isHeldElsewhere(error: unknown): boolean {
  return error instanceof SagasmithError && error.code === 'data_directory_in_use'
}
