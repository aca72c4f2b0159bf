// A bot for Bastide in C++, without any library:
//     g++ -O2 -std=c++17 examples/programs/bot.cpp -o build/cpp_bot && bastide play --seats 'human,program:build/cpp_bot'
// It reads a line of JSON and writes one. A real bot would parse the whole line with a library; this reads one member.
#include <iostream>
#include <string>
#include <vector>

// The strings of a list such as "legal": ["a", "b"]. Actions have no quotes and no backslashes inside.
static std::vector<std::string> strings(const std::string& line, const std::string& member) {
    std::vector<std::string> found;
    const std::string key = "\"" + member + "\": [";
    size_t at = line.find(key);
    if (at == std::string::npos) return found;
    at += key.size();
    const size_t end = line.find(']', at);
    while ((at = line.find('"', at)) < end) {
        const size_t close = line.find('"', at + 1);
        found.push_back(line.substr(at + 1, close - at - 1));
        at = close + 1;
    }
    return found;
}

// A road before everything else, otherwise the last action.
static std::string choose(const std::string& line) {
    const std::vector<std::string> legal = strings(line, "legal");
    for (auto action = legal.rbegin(); action != legal.rend(); ++action)
        if (action->find("road") != std::string::npos) return *action;
    return legal.empty() ? "" : legal.back();
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        if (line.rfind("{\"ask\": \"hello\"", 0) == 0) std::cout << "{\"name\": \"plus\"}" << std::endl;
        else if (line.rfind("{\"ask\": \"choose\"", 0) == 0) std::cout << "{\"action\": \"" << choose(line) << "\"}" << std::endl;
    }
}
