import { expect, test } from 'vitest'
import { invocationId, isOfRun, runId, runIdOf } from '../../../src-engine/model/ids.ts'

test.each(['run_1/a', 'run_1/a@map:0', 'run_12/a', 'run_1', 'run_', '', '/a', 'a/b/c'])(
  'whether %j is of a run is what its id tells',
  (text) => {
    const id = invocationId(text)
    for (const run of ['run_1', 'run_12', 'run_', '', 'a', 'a/b', text].map(runId)) {
      expect(isOfRun(id, run)).toBe(runIdOf(id) === run)
    }
  },
)
