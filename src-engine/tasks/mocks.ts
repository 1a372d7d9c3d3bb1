/** The mocks of the kinds that touch the outside or take their time; every other kind is its own. */

import type { z } from 'zod'
import { approvalMock } from './approval/mock.ts'
import { askModelMock } from './ask-model/mock.ts'
import { codeTaskMock } from './code-task/mock.ts'
import { delayMock } from './delay/mock.ts'
import { dockerRunMock } from './docker-run/mock.ts'
import { emitEventMock } from './emit-event/mock.ts'
import { copyFileMock, deleteFileMock, undoFilesMock, unzipFileMock, zipFilesMock } from './files/mock.ts'
import { httpRequestMock } from './http-request/mock.ts'
import { loopMock } from './loop/mock.ts'
import type { TaskMock } from './mock.ts'
import { notifyMock } from './notify/mock.ts'
import { redisCommandMock } from './redis-command/mock.ts'
import { s3Mock } from './s3/mock.ts'
import { scriptMock } from './script/mock.ts'
import { sendMailMock } from './send-mail/mock.ts'
import { shellCommandMock } from './shell-command/mock.ts'
import type { RunnerTaskKind, taskSpecs } from './specs.ts'
import { sqlQueryMock, sqlStatementMock } from './sql/mock.ts'
import { sqlExportMock } from './sql-export/mock.ts'
import { sshCommandMock } from './ssh-command/mock.ts'
import { steerRunsMock } from './steer-runs/mock.ts'
import { throttleMock } from './throttle/mock.ts'
import { waitSignalMock } from './wait-signal/mock.ts'
import { waitWebhookMock } from './wait-webhook/mock.ts'
import { writeFileMock } from './write-file/mock.ts'

type TaskMocks = {
  readonly [Kind in RunnerTaskKind]?: TaskMock<z.infer<(typeof taskSpecs)[Kind]['parameters']>>
}

const mocks: TaskMocks = {
  'code-task': codeTaskMock,
  'http-request': httpRequestMock,
  'shell-command': shellCommandMock,
  script: scriptMock,
  'docker-run': dockerRunMock,
  'write-file': writeFileMock,
  'sql-query': sqlQueryMock,
  'sql-statement': sqlStatementMock,
  'sql-export': sqlExportMock,
  'copy-file': copyFileMock,
  'delete-file': deleteFileMock,
  'zip-files': zipFilesMock,
  'unzip-file': unzipFileMock,
  'undo-files': undoFilesMock,
  'ask-model': askModelMock,
  'send-mail': sendMailMock,
  notify: notifyMock,
  'redis-command': redisCommandMock,
  s3: s3Mock,
  'ssh-command': sshCommandMock,
  'steer-runs': steerRunsMock,
  'emit-event': emitEventMock,
  delay: delayMock,
  loop: loopMock,
  throttle: throttleMock,
  'wait-signal': waitSignalMock,
  'wait-webhook': waitWebhookMock,
  approval: approvalMock,
}

/** By kind. The map forgets which schema belongs to which mock; the caller looks both up by the same kind. */
export const taskMocksByKind: ReadonlyMap<string, TaskMock<unknown>> = new Map(
  Object.entries(mocks) as [string, TaskMock<unknown>][],
)
