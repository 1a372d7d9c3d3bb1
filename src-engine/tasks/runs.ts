/** The catalogue of what runner kinds do. The compiler demands an entry for each spec. */

import type { z } from 'zod'
import { createApprovalRun } from './approval/run.ts'
import { circuitBreakerRun } from './circuit-breaker/run.ts'
import { setValuesRun } from './data/set-values.ts'
import type { TextReader } from './data/text-reader.ts'
import { validateRun } from './data/validate.ts'
import { debugRun } from './debug/run.ts'
import { delayRun } from './delay/run.ts'
import { createEmitEventRun } from './emit-event/run.ts'
import { ifRun } from './if/run.ts'
import { lateProbingRun, lateRun } from './late-run.ts'
import { breakLoopRun, nextTurnRun } from './leave-loop/run.ts'
import { logRun } from './log/run.ts'
import { loopRun } from './loop/run.ts'
import { createMapRun } from './map/run.ts'
import { noopRun } from './noop/run.ts'
import { semaphoreRun } from './semaphore/run.ts'
import type { RunnerTaskKind, taskSpecs } from './specs.ts'
import { steerRunsRun } from './steer-runs/run.ts'
import { stopRun } from './stop/run.ts'
import { subWorkflowRun } from './sub-workflow/run.ts'
import { switchRun } from './switch/run.ts'
import type { TaskRun } from './task.ts'
import type { TaskPorts } from './task-ports.ts'
import { throttleRun } from './throttle/run.ts'
import { transformRun } from './transform/run.ts'
import { waitSignalRun } from './wait-signal/run.ts'
import { waitWebhookRun } from './wait-webhook/run.ts'

/** Each kind's run takes exactly what its spec's schema gives. */
type TaskRuns = {
  readonly [Kind in RunnerTaskKind]: TaskRun<z.infer<(typeof taskSpecs)[Kind]['parameters']>>
}

/** One for all steps that read texts, loaded with the first of them. */
function lateTextReader(): () => Promise<TextReader> {
  let reader: TextReader | null = null
  return async () => {
    const { createTextReader } = await import('./data/text-reader.ts')
    reader ??= createTextReader()
    return reader
  }
}

/** The run of every kind, by kind: call it with parameters that the kind's own schema has validated. */
export function createTaskRuns(ports: TaskPorts): ReadonlyMap<string, TaskRun<unknown>> {
  const texts = lateTextReader()
  const runs: TaskRuns = {
    'http-request': lateRun(async () => (await import('./http-request/run.ts')).createHttpRequestRun(ports)),
    'ask-model': lateRun(async () => (await import('./ask-model/run.ts')).createAskModelRun(ports)),
    'send-mail': lateRun(async () => (await import('./send-mail/run.ts')).createSendMailRun(ports)),
    notify: lateRun(async () => (await import('./notify/run.ts')).createNotifyRun(ports)),
    'shell-command': lateRun(async () =>
      (await import('./shell-command/run.ts')).createShellCommandRun(ports),
    ),
    script: lateRun(async () => (await import('./script/run.ts')).createScriptRun(ports)),
    javascript: lateRun(async () => (await import('./javascript/run.ts')).createJavaScriptRun(ports)),
    'code-task': lateProbingRun(async () => (await import('./code-task/run.ts')).createCodeTaskRun(ports)),
    transform: transformRun,
    if: ifRun,
    switch: switchRun,
    map: createMapRun(ports),
    loop: loopRun,
    'break-loop': breakLoopRun,
    'next-turn': nextTurnRun,
    delay: delayRun,
    throttle: throttleRun,
    semaphore: semaphoreRun,
    'circuit-breaker': circuitBreakerRun,
    'wait-signal': waitSignalRun,
    'wait-webhook': waitWebhookRun,
    approval: createApprovalRun(ports),
    'emit-event': createEmitEventRun(ports),
    'sub-workflow': subWorkflowRun,
    'steer-runs': steerRunsRun,
    stop: stopRun,
    'read-file': lateRun(async () => (await import('./read-file/run.ts')).readFileRun),
    'read-rows': lateRun(async () => (await import('./read-rows/run.ts')).createReadRowsRun(await texts())),
    'write-file': lateRun(async () => (await import('./write-file/run.ts')).writeFileRun),
    'list-files': lateRun(async () => (await import('./files/list.ts')).listFilesRun),
    'hash-file': lateRun(async () => (await import('./files/hash.ts')).hashFileRun),
    'copy-file': lateRun(async () => (await import('./files/transfer.ts')).copyFileRun),
    'delete-file': lateRun(async () => (await import('./files/delete.ts')).deleteFileRun),
    'zip-files': lateRun(async () => (await import('./files/zip.ts')).zipFilesRun),
    'unzip-file': lateRun(async () => (await import('./files/unzip.ts')).unzipFileRun),
    'undo-files': lateRun(async () => (await import('./files/undo.ts')).undoFilesRun),
    'parse-csv': lateRun(async () => (await import('./parse-csv/run.ts')).parseCsvRun),
    'build-csv': lateRun(async () => (await import('./build-csv/run.ts')).buildCsvRun),
    'parse-data': lateRun(async () => (await import('./data/parse.ts')).createParseDataRun(await texts())),
    'build-data': lateRun(async () => (await import('./data/build.ts')).buildDataRun),
    'parse-html': lateRun(async () =>
      (await import('./data/parse-html.ts')).createParseHtmlRun(await texts()),
    ),
    validate: validateRun,
    'set-values': setValuesRun,
    'redis-command': lateRun(async () =>
      (await import('./redis-command/run.ts')).createRedisCommandRun(ports),
    ),
    s3: lateRun(async () => (await import('./s3/run.ts')).createS3Run(ports)),
    'ssh-command': lateRun(async () => (await import('./ssh-command/run.ts')).createSshCommandRun(ports)),
    'docker-run': lateRun(async () => (await import('./docker-run/run.ts')).createDockerRun(ports)),
    'sql-query': lateRun(async () => (await import('./sql/run.ts')).createSqlQueryRun(ports)),
    'sql-statement': lateRun(async () => (await import('./sql/run.ts')).createSqlStatementRun(ports)),
    'sql-export': lateRun(async () => (await import('./sql-export/run.ts')).createSqlExportRun(ports)),
    log: logRun,
    debug: debugRun,
    noop: noopRun,
  }
  // The map forgets which schema belongs to which run; the caller looks both up by the same kind.
  return new Map(Object.entries(runs) as [string, TaskRun<unknown>][])
}
