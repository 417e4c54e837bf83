// The headers that most tests need, precompiled with VERTEBRA_UNITY (CMakeLists.txt beside this file): no code of its own.
