import { wordSet } from '../../model/reserved.ts';

// Names that generated Python must not use for the document's names.

const KEYWORDS = `
  False None True and as assert async await break class continue def del elif else except finally
  for from global if import in is lambda nonlocal not or pass raise return try while with yield`;

/** Used by the generated modules. */
const USED = `
  Any Final Literal Never NotRequired TypeAlias TypedDict Union annotations bool cast dict float int
  frozenset isinstance list object overload property str super tuple type
  AsyncClient BaseAsyncClient BaseClient Client Document ERRORS ErrorFacts OMIT Omit Params ROUTES Route
  RpcError SERVICE_ERRORS _DOCUMENT`;

/** Members of clients, and the decorator `overload`, which a method of that name would shadow. */
const MEMBERS = 'batch close overload request submit with_response';

/** Members of errors, and the decorator `property`. */
const ERROR_MEMBERS = `
  add_note args code data facts message method property reason response retryable revert_reason shared_cause
  status with_traceback`;

/** Exceptions of Python and of the package. */
const EXCEPTIONS = `
  ArithmeticError AssertionError AttributeError BaseException BlockingIOError BrokenPipeError
  BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
  ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError EncodingWarning
  EnvironmentError Exception FileExistsError FileNotFoundError FloatingPointError FutureWarning
  GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError
  IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError
  NotADirectoryError NotImplementedError OSError OverflowError PendingDeprecationWarning
  PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError
  RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit
  TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
  UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError
  CallTimeoutError ClientError RpcError TransportError`;

export const keywords = wordSet(KEYWORDS);

/** Reserved among types and error classes. */
export const reservedTypes = wordSet(KEYWORDS, USED, EXCEPTIONS);

export const reservedMembers = wordSet(KEYWORDS, MEMBERS);

export const reservedParameters = wordSet(KEYWORDS, 'self');

export const reservedErrorMembers = wordSet(KEYWORDS, ERROR_MEMBERS);
