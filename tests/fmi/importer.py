"""A minimal importer of FMUs, for the tests: unpacks one, reads modelDescription.xml, opens the library and calls the standard's functions.

Signatures are declared here once more, from FMI 2.0.4 and FMI 3.0, so that a slip in the headers of plugins/fmi shows. Times in s.
"""
import ctypes
import os
import pathlib
import xml.etree.ElementTree
import zipfile
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint32, c_void_p

OK, WARNING, DISCARD, ERROR = range(4)
COMMON = """SetDebugLogging FreeInstance EnterInitializationMode ExitInitializationMode Terminate Reset GetBoolean GetString SetBoolean SetString
    EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates GetEventIndicators GetContinuousStates
    GetNominalsOfContinuousStates EnterEventMode GetDirectionalDerivative DoStep GetVersion""".split()
FUNCTIONS = {
    2: ["fmi2" + name for name in COMMON + """GetTypesPlatform Instantiate SetupExperiment GetReal GetInteger SetReal SetInteger GetFMUstate
        SetFMUstate FreeFMUstate SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate NewDiscreteStates GetDerivatives
        SetRealInputDerivatives GetRealOutputDerivatives CancelStep GetStatus GetRealStatus GetIntegerStatus GetBooleanStatus
        GetStringStatus""".split()],
    3: ["fmi3" + name for name in COMMON + """InstantiateModelExchange InstantiateCoSimulation InstantiateScheduledExecution
        GetNumberOfVariableDependencies GetVariableDependencies GetFMUState SetFMUState FreeFMUState SerializedFMUStateSize SerializeFMUState
        DeserializeFMUState GetAdjointDerivative EnterConfigurationMode ExitConfigurationMode GetClock SetClock GetIntervalDecimal
        GetIntervalFraction GetShiftDecimal GetShiftFraction SetIntervalDecimal SetIntervalFraction SetShiftDecimal SetShiftFraction
        EvaluateDiscreteStates UpdateDiscreteStates GetContinuousStateDerivatives GetNumberOfEventIndicators GetNumberOfContinuousStates
        EnterStepMode GetOutputDerivatives ActivateModelPartition""".split()
        + [way + kind for way in ("Get", "Set")
           for kind in "Float32 Float64 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Binary".split()]],
}
LOGGER2 = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p)
LOGGER3 = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)


class Callbacks(ctypes.Structure):
    _fields_ = [("logger", LOGGER2), ("allocate", c_void_p), ("free", c_void_p), ("finished", c_void_p), ("environment", c_void_p)]


class Fmu:
    """An unpacked FMU with its library opened."""

    def __init__(self, path, folder):
        self.folder = pathlib.Path(folder)
        with zipfile.ZipFile(path) as archive:
            if archive.testzip():
                raise ValueError("the archive is damaged")
            archive.extractall(folder)
        self.root = xml.etree.ElementTree.parse(self.folder / "modelDescription.xml").getroot()
        self.version = int(self.root.get("fmiVersion")[0])
        self.identifier = self.root.find("CoSimulation").get("modelIdentifier")
        binaries = self.folder / "binaries"
        self.library_path = next(binaries.iterdir()) / (self.identifier + ".so")
        self.library = ctypes.CDLL(str(self.library_path), mode=os.RTLD_NOW | os.RTLD_LOCAL)
        self.token = self.root.get("guid" if self.version == 2 else "instantiationToken")
        self.variables = {v.get("name"): v for v in self.root.find("ModelVariables")}
        self.references = {name: int(v.get("valueReference")) for name, v in self.variables.items()}

    def of(self, causality):
        return [name for name, v in self.variables.items() if v.get("causality") == causality]

    def instance(self, name="one", token=None):
        return Instance(self, name, self.token if token is None else token)


class Instance:
    """One instance; calls return the standard's status."""

    def __init__(self, fmu, name, token):
        self.fmu, self.three, self.messages = fmu, fmu.version == 3, []
        resources = fmu.folder.resolve() / "resources"
        if self.three:
            self._log = LOGGER3(lambda _, status, category, text: self.messages.append((status, text.decode())))
            make = fmu.library.fmi3InstantiateCoSimulation
            make.restype = c_void_p
            make.argtypes = [c_char_p] * 3 + [c_bool] * 4 + [c_void_p, c_size_t, c_void_p, LOGGER3, c_void_p]
            self.handle = make(name.encode(), token.encode(), (str(resources) + "/").encode(), False, True, False, False, None, 0, None,
                               self._log, None)
        else:
            self._log = LOGGER2(lambda _, who, status, category, text: self.messages.append((status, text.decode())))
            self._callbacks = Callbacks(self._log, None, None, None, None)
            make = fmu.library.fmi2Instantiate
            make.restype = c_void_p
            make.argtypes = [c_char_p, c_int, c_char_p, c_char_p, c_void_p, c_int, c_int]
            self.handle = make(name.encode(), 1, token.encode(), resources.as_uri().encode(), byref(self._callbacks), 0, 1)

    def call(self, name, *arguments):
        function = getattr(self.fmu.library, f"fmi{self.fmu.version}{name}")
        function.restype = c_int
        return function(c_void_p(self.handle), *arguments)

    def free(self):
        function = getattr(self.fmu.library, f"fmi{self.fmu.version}FreeInstance")
        function.restype = None
        function(c_void_p(self.handle))

    def setup(self, start=0.0, stop=None):
        """FMI 2 alone."""
        return self.call("SetupExperiment", c_int(0), c_double(0), c_double(start), c_int(stop is not None), c_double(stop or 0))

    def enter(self, start=0.0, stop=None):
        if self.three:
            return self.call("EnterInitializationMode", c_bool(False), c_double(0), c_double(start), c_bool(stop is not None),
                             c_double(stop or 0))
        return self.setup(start, stop) or self.call("EnterInitializationMode")

    def begin(self, start=0.0, stop=None):
        return self.enter(start, stop) or self.call("ExitInitializationMode")

    def step(self, point, length):
        if not self.three:
            return self.call("DoStep", c_double(point), c_double(length), c_int(1))
        flags, self.last = [c_bool() for _ in range(3)], c_double()
        return self.call("DoStep", c_double(point), c_double(length), c_bool(True), *map(byref, flags), byref(self.last))

    def _typed(self, name):
        v = self.fmu.variables[name]
        integer = (v.tag if self.three else v[0].tag) in ("Int32", "Integer")
        return (c_int32, "Int32" if self.three else "Integer") if integer else (c_double, "Float64" if self.three else "Real")

    def read(self, *names):
        """Status, values."""
        values = []
        for name in names:
            kind, word = self._typed(name)
            value, extra = kind(), (c_size_t(1),) if self.three else ()
            status = self.call("Get" + word, byref(c_uint32(self.fmu.references[name])), c_size_t(1), byref(value), *extra)
            if status:
                return status, []
            values.append(value.value)
        return OK, values

    def get(self, *names):
        status, values = self.read(*names)
        assert status == OK, self.messages
        return values

    def set(self, name, value):
        kind, word = self._typed(name)
        extra = (c_size_t(1),) if self.three else ()
        return self.call("Set" + word, byref(c_uint32(self.fmu.references[name])), c_size_t(1), byref(kind(value)), *extra)

    def _state(self):
        return "State" if self.three else "state"

    def save(self):
        state = c_void_p()
        return self.call("GetFMU" + self._state(), byref(state)), state

    def restore(self, state):
        return self.call("SetFMU" + self._state(), state)

    def drop(self, state):
        return self.call("FreeFMU" + self._state(), byref(state))

    def serialise(self, state):
        size = c_size_t()
        status = self.call(f"SerializedFMU{self._state()}Size", state, byref(size))
        data = (ctypes.c_ubyte * size.value)()
        return status or self.call("SerializeFMU" + self._state(), state, data, size), bytes(data)

    def deserialise(self, data):
        state = c_void_p()
        word = "DeserializeFMU" if self.three else "DeSerializeFMU"
        return self.call(word + self._state(), (ctypes.c_ubyte * len(data)).from_buffer_copy(data), c_size_t(len(data)), byref(state)), state
